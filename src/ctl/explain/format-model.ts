import type { Schema } from '../../apis/openapi/index.ts';
import { type OpenApiSchemas, type SchemaShape, shapeOf } from '../../client/openapi/index.ts';
import { typeNameOf } from './type-name.ts';

/** What to show, and of what. */
export interface ModelRequest {
  readonly schema: Schema;
  /** Last field of the path; empty for the kind itself. */
  readonly name: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly isRecursive: boolean;
}

const descriptionIndent = 5;

/** The lines that explain a kind or a field, as the client of release 1.20 has them. */
export function formatModel(schemas: OpenApiSchemas, request: ModelRequest): string[] {
  const { name, isRecursive } = request;
  const { schema, descriptions } = unwrap(schemas, request.schema);
  const shape = shapeOf(schema);
  const type = typeNameOf(schemas, request.schema);
  const title =
    shape.kind === 'object' && name !== ''
      ? [`RESOURCE: ${name} <${type}>`, '']
      : shape.kind === 'primitive'
        ? [`FIELD:    ${name} <${type}>`, '']
        : [];
  const lines = [
    `KIND:     ${request.kind}`,
    `VERSION:  ${request.apiVersion}`,
    '',
    ...title,
    'DESCRIPTION:',
    ...describe(descriptions),
  ];
  if (shape.kind !== 'object') return lines;
  return [...lines, '', 'FIELDS:', ...(isRecursive ? nestFields : listFields)(schemas, shape)];
}

/** The schema behind references, lists and maps, and the descriptions on the way to it; empty where there is none. */
function unwrap(
  schemas: OpenApiSchemas,
  start: Schema,
): { readonly schema: Schema; readonly descriptions: readonly string[] } {
  const descriptions: string[] = [];
  const seen = new Set<string>();
  for (let schema = start; ; ) {
    descriptions.push(typeof schema.description === 'string' ? schema.description : '');
    const shape = shapeOf(schema);
    if (shape.kind === 'reference' && !seen.has(shape.name)) {
      seen.add(shape.name);
      schema = schemas.definition(shape.name) ?? {};
    } else if (shape.kind === 'array') schema = shape.items;
    else if (shape.kind === 'map') schema = shape.values;
    else return { schema, descriptions };
  }
}

/** What is said of each, empty lines between them: also before the first one when nothing is said of those before it. */
function describe(descriptions: readonly string[]): string[] {
  const lines = descriptions.flatMap((text, index) =>
    text === '' ? [] : [...(index === 0 ? [] : ['']), ...wrapText(text, descriptionIndent)],
  );
  return lines.length === 0 ? [indent('<empty>', descriptionIndent)] : lines;
}

type ObjectShape = Extract<SchemaShape, { kind: 'object' }>;

const step = 3;

const fieldsInOrder = ({ fields }: ObjectShape): [string, Schema][] =>
  Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));

/** Each field with its type and what it means. */
function listFields(schemas: OpenApiSchemas, shape: ObjectShape): string[] {
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
function nestFields(schemas: OpenApiSchemas, shape: ObjectShape): string[] {
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

const lineWidth = 80;
/** Lines that begin a list are not joined to the one before. */
const listItem = /^(?:\d+\.?|[*-])\s/;

/** The text behind some blanks. */
const indent = (text: string, width: number): string => ' '.repeat(width) + text;

/** The words of a text in lines of 80 columns, blanks before them included. Empty lines and code are kept. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let words: string[] = [];
  let length = 0;
  const flush = () => {
    if (words.length > 0) lines.push(words.join(' '));
    words = [];
    length = 0;
  };
  for (const source of text.split('\n')) {
    const isCode = source.startsWith('    ');
    const isBlank = source.trim() === '';
    if (isCode || (isBlank && lines.length > 0)) {
      flush();
      lines.push(isCode ? source : '');
      continue;
    }
    if (words.at(-1)?.endsWith(':') || isBlank || listItem.test(source.trim())) flush();
    for (const word of source.split(/\s+/).filter((part) => part !== '')) {
      if (words.length > 0 && length + 1 + word.length > lineWidth - width) flush();
      length += word.length + (words.length > 0 ? 1 : 0);
      words.push(word);
    }
  }
  flush();
  return lines.map((line) => (line === '' ? '' : indent(line, width)));
}
