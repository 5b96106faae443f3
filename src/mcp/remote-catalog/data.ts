/** Reads fields of outputs, which were checked against the table of their operation. */
import { isRecord } from '../../core/json-file.ts';
import type { Data } from '../outcome.ts';

export function itemsIn(output: Data | undefined, field: string): readonly Data[] {
  const items = output?.[field];
  return Array.isArray(items) ? items.filter(isRecord) : [];
}

export function textIn(data: Data | undefined, key: string): string | undefined {
  const value = data?.[key];
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(data: Data | undefined, key: string): number | undefined {
  const value = data?.[key];
  return typeof value === 'number' ? value : undefined;
}
