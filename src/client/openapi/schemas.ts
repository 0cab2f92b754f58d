import type { Schema } from '../../apis/openapi/index.ts';
import { asJsonObject, isJsonObject, type JsonObject } from '../../base/index.ts';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';

/** The definitions of an OpenAPI document. Each is parsed when it is first asked for. */
export interface OpenApiSchemas {
  /** Name of the definition of a kind; undefined when the document has none. */
  nameOf(gvk: GroupVersionKind): string | undefined;
  /** A definition by its name. */
  definition(name: string): Schema | undefined;
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
const identity = /^x-[\w-]+-group-version-kind$/;

/**
 * The definitions of a document as text: a line of JSON with the names by kind, then for each definition its name, a space
 * and its JSON. Reading one of them needs no parsing of the others, of which there are hundreds.
 *
 * @throws TypeError when the value is no OpenAPI document.
 */
export function packDefinitions(document: unknown): string {
  if (!isJsonObject(document) || !isJsonObject(document.definitions))
    throw new TypeError('no OpenAPI document');
  return pack(document.definitions);
}

/** The same of the schemas of an OpenAPI 3 document, in the words of version 2. @throws TypeError when it is none. */
export function packV3Schemas(document: unknown): string {
  const { schemas } = asJsonObject(asJsonObject(document).components);
  if (!isJsonObject(schemas)) throw new TypeError('no OpenAPI document');
  return pack(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toV2(schema)])));
}

const [prefixOfV3, prefixOfV2] = ['#/components/schemas/', '#/definitions/'];
/** Schemas of one value below these names. */
const nested = ['items', 'additionalProperties', 'not'];
const severalNested = ['allOf', 'anyOf', 'oneOf'];

/** A schema in the words of version 2: what stands beside a reference is not below `allOf` there, and a choice of types is one of texts. */
function toV2(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  const { $ref, allOf, oneOf, ...rest } = schema;
  if (typeof $ref === 'string') return { ...rest, $ref: $ref.replace(prefixOfV3, prefixOfV2) };
  const [only, ...others] = Array.isArray(allOf) ? allOf : [];
  const target = others.length === 0 ? asJsonObject(only).$ref : undefined;
  if (typeof target === 'string') return { ...rest, $ref: target.replace(prefixOfV3, prefixOfV2) };
  if (Array.isArray(oneOf) && rest.type === undefined && oneOf.every(isJustText))
    return { ...rest, type: 'string' };
  const out: JsonObject = { ...schema };
  for (const name of nested) if (name in out) out[name] = toV2(out[name]);
  for (const name of severalNested) if (Array.isArray(out[name])) out[name] = out[name].map(toV2);
  if (isJsonObject(out.properties))
    out.properties = Object.fromEntries(
      Object.entries(out.properties).map(([name, each]) => [name, toV2(each)]),
    );
  return out;
}

/** A choice of texts and numbers, as types with several forms in JSON have it. */
const isJustText = (choice: unknown): boolean =>
  isJsonObject(choice) &&
  Object.keys(choice).length === 1 &&
  ['string', 'integer', 'number'].includes(String(choice.type));

function pack(definitions: JsonObject): string {
  const names: Record<string, string> = {};
  const lines: string[] = [];
  for (const [name, definition] of Object.entries(definitions)) {
    if (!isJsonObject(definition) || /[\s]/.test(name)) continue;
    lines.push(`${name} ${JSON.stringify(definition)}`);
    for (const key of kindsOf(definition)) names[key] ??= name;
  }
  return [JSON.stringify(names), ...lines].join('\n');
}

/** Kinds that the definition is of. Options of the protocol, which are of many versions, are not looked for. */
function kindsOf(definition: Readonly<Record<string, unknown>>): readonly string[] {
  const extension = Object.keys(definition).find((name) => identity.test(name));
  const kinds = extension === undefined ? undefined : definition[extension];
  if (!Array.isArray(kinds) || kinds.length !== 1) return [];
  return kinds
    .filter(isJsonObject)
    .map(({ group, version, kind }) =>
      keyOf({ group: String(group), version: String(version), kind: String(kind) }),
    );
}

/** Reads what `packDefinitions` wrote. @throws SyntaxError or TypeError when it is something else */
export function readDefinitions(packed: string): OpenApiSchemas {
  const firstEnd = packed.indexOf('\n');
  const names: unknown = JSON.parse(firstEnd < 0 ? packed : packed.slice(0, firstEnd));
  if (!isJsonObject(names)) throw new TypeError('no packed definitions');
  const texts = new Map<string, string>();
  for (let start = firstEnd + 1; start > 0; ) {
    const end = packed.indexOf('\n', start);
    const line = end < 0 ? packed.slice(start) : packed.slice(start, end);
    const space = line.indexOf(' ');
    if (space > 0) texts.set(line.slice(0, space), line.slice(space + 1));
    start = end + 1;
  }
  const parsed = new Map<string, Schema>();
  return {
    nameOf(gvk) {
      const name = Object.hasOwn(names, keyOf(gvk)) ? names[keyOf(gvk)] : undefined;
      return typeof name === 'string' ? name : undefined;
    },
    definition(name) {
      const known = parsed.get(name);
      const text = texts.get(name);
      if (known !== undefined || text === undefined) return known;
      // A map, as written above; its members are what a server sent, and readers check those they use.
      const schema = JSON.parse(text) as Schema;
      parsed.set(name, schema);
      return schema;
    },
  };
}
