import type { Schema } from '../../apis/openapi/index.ts';
import { type OpenApiSchemas, shapeOf } from '../../client/openapi/index.ts';

/** References and lists within one another beyond this depth make no sense. */
const maxDepth = 32;

/** A type as `explain` shows it: `string`, `Object`, `[]Object`, `map[string]string`; empty for any JSON. */
export function typeNameOf(schemas: OpenApiSchemas, schema: Schema, depth = 0): string {
  if (depth > maxDepth) return '';
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case 'reference':
      return typeNameOf(schemas, schemas.definition(shape.name) ?? {}, depth + 1);
    case 'object':
      return 'Object';
    case 'map':
      return `map[string]${typeNameOf(schemas, shape.values, depth + 1)}`;
    case 'array':
      return `[]${typeNameOf(schemas, shape.items, depth + 1)}`;
    case 'primitive':
      return shape.type;
    case 'any':
      return '';
  }
}
