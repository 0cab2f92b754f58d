import type { Schema } from '../../apis/openapi/index.ts';
import { type OpenApiSchemas, type SchemaShape, shapeOf } from '../../client/openapi/index.ts';
import { typeNameOf } from './type-name.ts';
import { wrapText } from './wrap-text.ts';

type ObjectShape = Extract<SchemaShape, { kind: 'object' }>;

const step = 3;
const descriptionIndent = 5;

const fieldsInOrder = ({ fields }: ObjectShape): [string, Schema][] =>
  Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));

/** Each field with its type and what it means. */
export function listFields(schemas: OpenApiSchemas, shape: ObjectShape): string[] {
  const required = new Set(shape.required);
  return fieldsInOrder(shape).flatMap(([name, schema]) => {
    const mark = required.has(name) ? ' -required-' : '';
    const text = typeof schema.description === 'string' ? schema.description : '';
    return [
      `${' '.repeat(step)}${name}\t<${typeNameOf(schemas, schema)}>${mark}`,
      ...wrapText(text, descriptionIndent),
      '',
    ];
  });
}

/** Each field with its type, and below it its own fields. Types that contain themselves are entered once. */
export function nestFields(schemas: OpenApiSchemas, shape: ObjectShape): string[] {
  const lines: string[] = [];
  /** Definitions that the present line is inside of. */
  const entered = new Set<string>();
  const visit = (schema: Schema, level: number): void => {
    const inner = shapeOf(schema);
    switch (inner.kind) {
      case 'reference': {
        if (entered.has(inner.name)) return;
        entered.add(inner.name);
        visit(schemas.definition(inner.name) ?? {}, level);
        entered.delete(inner.name);
        return;
      }
      case 'array':
        visit(inner.items, level);
        return;
      case 'map':
        visit(inner.values, level);
        return;
      case 'object':
        for (const [name, field] of fieldsInOrder(inner)) {
          lines.push(`${' '.repeat(level * step)}${name}\t<${typeNameOf(schemas, field)}>`);
          visit(field, level + 1);
        }
    }
  };
  visit({ properties: shape.fields }, 1);
  return lines;
}
