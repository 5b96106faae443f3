/** YAML values as plain data. Maps inherit no keys, so `__proto__` and `constructor` are ordinary keys. */
export type YamlValue = string | number | boolean | null | YamlValue[] | YamlMap;

export interface YamlMap {
  [key: string]: YamlValue;
}

/** Inherits only from an empty frozen object: as safe as an object without a prototype, and much cheaper in time and memory. */
class Bare {
  [key: string]: YamlValue;
}
Reflect.deleteProperty(Bare.prototype, 'constructor');
Object.freeze(Object.setPrototypeOf(Bare.prototype, null));

export function newYamlMap(): YamlMap {
  return new Bare();
}
