/** Converts fields to JSON Schema for MCP tools. The schema is as short as possible, because models pay for every character. */
import type { Field, Fields } from './field.ts';

export type JsonSchema = Record<string, unknown>;

/** The schema of an input object. It is closed, so that an unknown parameter is reported. */
export function inputSchema(fields: Fields): JsonSchema & { type: 'object' } {
  const required = Object.keys(fields).filter((key) => fields[key]?.required);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [
        key,
        { ...schemaOf(field), ...(field.default === undefined ? {} : { default: field.default }) },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The schema of a result object. It is open, because results may gain fields. */
export function outputSchema(fields: Fields): JsonSchema & { type: 'object' } {
  const required = Object.keys(fields).filter((key) => !fields[key]?.optional);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaOf(field)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function schemaOf(field: Field): JsonSchema {
  const schema = field.nullable ? { anyOf: [bareSchemaOf(field), { type: 'null' }] } : bareSchemaOf(field);
  return field.help === undefined ? schema : { ...schema, description: field.help };
}

function bareSchemaOf(field: Field): JsonSchema {
  switch (field.type) {
    case 'text':
      return { type: 'string', ...(field.filled ? { minLength: 1 } : {}) };
    case 'integer':
    case 'number':
      return {
        type: field.type,
        ...(field.min === undefined ? {} : { minimum: field.min }),
        ...(field.max === undefined ? {} : { maximum: field.max }),
      };
    case 'flag':
      return { type: 'boolean', ...(field.always === undefined ? {} : { const: field.always }) };
    case 'choice':
      return { type: 'string', enum: field.choices };
    case 'list':
      return {
        type: 'array',
        items: schemaOf(field.of),
        ...(field.min === undefined ? {} : { minItems: field.min }),
        ...(field.max === undefined ? {} : { maxItems: field.max }),
      };
    case 'object':
      return outputSchema(field.fields);
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(field.of) };
    case 'any':
      return {};
  }
}
