import type { Schema } from '../../apis/openapi/index.ts';
import { isJsonObject } from '../../base/index.ts';

/** What a schema describes, as client-go reads Swagger 2.0. */
export type SchemaShape =
  /** The values of another definition. */
  | { readonly kind: 'reference'; readonly name: string }
  /** An object with known fields. */
  | {
      readonly kind: 'object';
      readonly fields: Readonly<Record<string, Schema>>;
      readonly required: readonly string[];
    }
  /** An object with any keys. */
  | { readonly kind: 'map'; readonly values: Schema }
  | { readonly kind: 'array'; readonly items: Schema }
  | { readonly kind: 'primitive'; readonly type: string }
  /** Any JSON. */
  | { readonly kind: 'any' };

const prefix = '#/definitions/';

const isSchema = (value: unknown): value is Schema => isJsonObject(value);

/** Reads a schema as a server sent it; what makes no sense is any JSON. */
export function shapeOf(schema: Schema): SchemaShape {
  const { $ref, type, properties, additionalProperties, items, required } = schema;
  if (typeof $ref === 'string') return { kind: 'reference', name: $ref.slice(prefix.length) };
  if (
    isSchema(properties) &&
    Object.keys(properties).length > 0 &&
    (type === undefined || type === 'object')
  ) {
    const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
    return { kind: 'object', fields: properties as Readonly<Record<string, Schema>>, required: names };
  }
  if (typeof type !== 'string') return { kind: 'any' };
  // Without a schema of its values a map has its own description again, as in client-go.
  const { description } = schema;
  const anything: Schema = description === undefined ? {} : { description };
  if (type === 'object') {
    return { kind: 'map', values: isSchema(additionalProperties) ? additionalProperties : anything };
  }
  if (type === 'array') return { kind: 'array', items: isSchema(items) ? items : anything };
  return { kind: 'primitive', type };
}
