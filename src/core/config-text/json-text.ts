/** Prints JSON the way people write configuration: objects on several lines, lists of plain values on one. */
export interface JsonStyle {
  lineBreak: string;
  /** One level of indentation. */
  unit: string;
}

export function printJson(value: unknown, indent: string, style: JsonStyle): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
    return printOnOneLine(value);
  const inner = indent + style.unit;
  const items = Array.isArray(value)
    ? value.map((item: unknown) => printJson(item, inner, style))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${printJson(item, inner, style)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return open + close;
  return open + items.map((item) => style.lineBreak + inner + item).join(',') + style.lineBreak + indent + close;
}

export function printOnOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(printOnOneLine).join(', ')}]`;
  const items = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${printOnOneLine(item)}`);
  return items.length === 0 ? '{}' : `{ ${items.join(', ')} }`;
}

/** Returns a document for a text with only white space and comments, which are kept. */
export function newDocument(text: string, value: unknown, style: JsonStyle): string {
  const body = printJson(value, '', style) + style.lineBreak;
  if (text.trim() === '') return body;
  const needsBreak = !/[\r\n]$/u.test(text);
  return text + (needsBreak ? style.lineBreak : '') + body;
}
