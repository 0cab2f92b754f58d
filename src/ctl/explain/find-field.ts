import type { Schema } from '../../apis/openapi/index.ts';
import { type OpenApiSchemas, shapeOf } from '../../client/openapi/index.ts';
import { UnknownNameError } from '../errors.ts';

/** The schema at a path of fields; lists, maps and references are passed through. @throws UnknownNameError when there is none */
export function findField(schemas: OpenApiSchemas, root: Schema, path: readonly string[]): Schema {
  let schema = root;
  let at = 0;
  for (;;) {
    if (at === path.length) return schema;
    const shape = shapeOf(schema);
    switch (shape.kind) {
      case 'reference':
        schema = schemas.definition(shape.name) ?? {};
        break;
      case 'array':
        schema = shape.items;
        break;
      case 'map':
        // A key of the map: any name will do.
        at++;
        schema = shape.values;
        break;
      case 'object': {
        const name = path[at] ?? '';
        const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
        if (field === undefined) {
          const text = `field ${JSON.stringify(name)} does not exist`;
          throw new UnknownNameError(text, name, Object.keys(shape.fields));
        }
        schema = field;
        at++;
        break;
      }
      default:
        // Values have no fields, but the client of release 1.20 does not mind names behind them.
        return schema;
    }
  }
}
