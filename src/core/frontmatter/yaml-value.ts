/** What YAML can hold, as plain data. Maps have no prototype, so a key named `__proto__` or `constructor` is only a key. */
export type YamlValue = string | number | boolean | null | YamlValue[] | YamlMap;

export interface YamlMap {
  [key: string]: YamlValue;
}
