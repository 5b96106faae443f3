/** What YAML can hold, as plain data. Maps inherit no key, so one named `__proto__` or `constructor` is only a key. */
export type YamlValue = string | number | boolean | null | YamlValue[] | YamlMap;

export interface YamlMap {
  [key: string]: YamlValue;
}

/** Inherits from nothing but an empty frozen object: safe as one without a prototype, and far cheaper to make and to keep. */
class Bare {
  [key: string]: YamlValue;
}
Reflect.deleteProperty(Bare.prototype, 'constructor');
Object.freeze(Object.setPrototypeOf(Bare.prototype, null));

export function newYamlMap(): YamlMap {
  return new Bare();
}
