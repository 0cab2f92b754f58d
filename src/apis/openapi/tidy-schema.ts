import { isJsonObject } from '../../base/index.ts';

type Json = Readonly<Record<string, unknown>>;

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array']);
const textMembers = new Set(['description', 'format', 'title', 'pattern', 'discriminator']);
const numberMembers = new Set([
  ...['multipleOf', 'maximum', 'minimum', 'maxLength', 'minLength', 'maxItems', 'minItems'],
  ...['maxProperties', 'minProperties'],
]);
const flagMembers = new Set(['exclusiveMaximum', 'exclusiveMinimum', 'uniqueItems', 'readOnly']);

/** The name that a reference leads to; undefined when it leads elsewhere. Names that must be escaped are none of the API's. */
export function definitionOfRef(ref: string, root = '#/definitions/'): string | undefined {
  const name = ref.startsWith(root) ? ref.slice(root.length) : '';
  return name === '' || /[/~%]/.test(name) ? undefined : name;
}

/**
 * A schema of another server's document as clients can read it: what has no form that they know is "any JSON", and what is
 * not of Swagger 2.0 is left out. `isThere` is asked for each definition that it refers to.
 */
export function tidySchema(schema: unknown, isThere: (definition: string) => boolean): Json {
  if (!isJsonObject(schema)) return {};
  const out: Record<string, unknown> = {};
  // In one order, so that equal schemas become equal texts.
  for (const name of Object.keys(schema).sort()) {
    const value = schema[name];
    const isFit =
      name.startsWith('x-') ||
      name === 'default' ||
      name === 'example' ||
      (textMembers.has(name) && typeof value === 'string') ||
      (numberMembers.has(name) && typeof value === 'number') ||
      (flagMembers.has(name) && typeof value === 'boolean') ||
      (name === 'enum' && Array.isArray(value)) ||
      (name === 'required' && Array.isArray(value) && value.every((one) => typeof one === 'string'));
    if (isFit) out[name] = value;
  }
  if (typeof schema.$ref === 'string') {
    const name = definitionOfRef(schema.$ref);
    if (name === undefined || !isThere(name)) return out;
    return { ...out, $ref: `#/definitions/${name}` };
  }
  const type = schema.type ?? (isJsonObject(schema.properties) ? 'object' : undefined);
  if (!types.has(type)) return out;
  // Clients take a list of nothing for an error.
  if (type === 'array' && !isJsonObject(schema.items)) return out;
  out.type = type;
  if (isJsonObject(schema.items)) out.items = tidySchema(schema.items, isThere);
  if (isJsonObject(schema.additionalProperties))
    out.additionalProperties = tidySchema(schema.additionalProperties, isThere);
  if (isJsonObject(schema.properties)) {
    out.properties = Object.fromEntries(
      Object.entries(schema.properties)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, property]) => [name, tidySchema(property, isThere)]),
    );
  }
  return out;
}
