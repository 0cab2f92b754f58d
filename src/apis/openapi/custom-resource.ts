import { isJsonObject, ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ServedResource } from '../resources/index.ts';
import { customDefinitionName, definitionNameOf } from './definition-names.ts';
import { refTo, type Schema } from './swagger.ts';
import { toV3Schema, type V3Value } from './v3-values.ts';

/** A custom resource to publish: where it is served, and the schema of its version (OpenAPI v3), if it has one. */
export interface CustomResource {
  readonly resource: ServedResource;
  readonly schema?: unknown;
}

const objectMeta = 'meta.orch.io/v1.ObjectMeta';
const listMeta = 'meta.orch.io/v1.ListMeta';
/** Types that fragments of custom resources refer to. */
export const customRoots: readonly string[] = [
  objectMeta,
  listMeta,
  ...['Status', 'DeleteOptions', 'Patch'].map((name) => `meta.orch.io/v1.${name}`),
  'autoscaling/v1.Scale',
];

const typeMeta = {
  apiVersion: { description: 'Group and version that the object is written in.', type: 'string' },
  kind: { description: 'Kind of the object.', type: 'string' },
} as const satisfies Readonly<Record<string, Schema>>;
/** Members that Swagger 2.0 has too and that clients understand. */
const kept = new Set([
  'description',
  'format',
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'multipleOf',
  'enum',
  'title',
  'required',
]);
/** Schemas nested deeper than this are published as any JSON. */
const maxDepth = 64;

/**
 * Names and makers of the definitions of a custom resource: its kind and its list. What the schema itself says is not spelled
 * in another way; it is its author's.
 */
export function publishCustomResource(
  dialect: Dialect,
  custom: CustomResource,
): readonly (readonly [string, () => Schema])[] {
  const { schema } = custom;
  return [
    [kindName(dialect, custom), () => ({ ...publishRoot(schema, dialect), ...identityOf(dialect, custom) })],
    [listName(dialect, custom), () => publishList(dialect, custom)],
  ];
}

/** The same for OpenAPI 3, which can say all that a schema does. */
export function publishCustomSchemas(
  dialect: Dialect,
  custom: CustomResource,
): readonly (readonly [string, () => V3Value])[] {
  const root = isJsonObject(custom.schema) ? custom.schema : {};
  const properties = isJsonObject(root.properties) ? root.properties : {};
  const metadata = toV3Schema(metadataOf(dialect));
  return [
    [
      kindName(dialect, custom),
      () => ({
        ...root,
        type: 'object',
        properties: { ...properties, ...typeMeta, metadata },
        ...identityOf(dialect, custom),
      }),
    ],
    [listName(dialect, custom), () => toV3Schema(publishList(dialect, custom))],
  ];
}

const kindName = (dialect: Dialect, { resource: { group, version, kind } }: CustomResource): string =>
  dialect.spell(customDefinitionName(group, version, kind));

const listName = (dialect: Dialect, { resource: { group, version, listKind } }: CustomResource): string =>
  dialect.spell(customDefinitionName(group, version, listKind));

function identityOf(
  dialect: Dialect,
  { resource: { group, version, kind: ownKind } }: CustomResource,
  kind = ownKind,
): Record<string, unknown> {
  return { [`${dialect.extensionPrefix}group-version-kind`]: [{ group, kind, version }] };
}

const toBuiltIn = (dialect: Dialect, typeName: string): Schema =>
  refTo(dialect.spell(definitionNameOf(typeName)));

const metadataOf = (dialect: Dialect): Schema => ({
  description: 'What every object has.',
  ...toBuiltIn(dialect, objectMeta),
});

function publishList(dialect: Dialect, custom: CustomResource): Schema {
  const { kind, listKind, resource: plural } = custom.resource;
  return {
    description: `A list of objects of kind ${kind}.`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: typeMeta.apiVersion,
      items: { description: `List of ${plural}.`, type: 'array', items: refTo(kindName(dialect, custom)) },
      kind: typeMeta.kind,
      metadata: { description: 'What is known of the list.', ...toBuiltIn(dialect, listMeta) },
    },
    ...identityOf(dialect, custom, listKind),
  };
}

function publishRoot(schema: unknown, dialect: Dialect): Schema {
  if (schema === undefined) return { type: 'object' };
  const root = publishSchema(schema, 0);
  if (root.type !== 'object' || root.properties === undefined) return { ...root, type: 'object' };
  return { ...root, properties: { ...root.properties, ...typeMeta, metadata: metadataOf(dialect) } };
}

/**
 * A schema of OpenAPI v3 as clients of v2 read it. They would take what they do not know for an error, so that
 * anything which v2 cannot say becomes "any JSON": nullable values, integers or texts, unknown fields kept.
 */
function publishSchema(schema: unknown, depth: number): Schema {
  if (!isJsonObject(schema) || depth > maxDepth) return {};
  const out: Record<string, unknown> = {};
  for (const name in schema) if (kept.has(name) || name.startsWith('x-')) out[name] = schema[name];
  const keepsUnknown = Object.entries(schema).some(
    ([name, value]) => name.endsWith('-preserve-unknown-fields') && value === true,
  );
  const isAny =
    schema.nullable === true || Object.keys(schema).some((name) => name.endsWith('-int-or-string'));
  if (isAny) return withoutShape(out);
  if (typeof schema.type === 'string') out.type = schema.type;
  if (keepsUnknown) return withoutShape(out);
  if (schema.items !== undefined) out.items = publishSchema(schema.items, depth + 1);
  if (isJsonObject(schema.additionalProperties))
    out.additionalProperties = publishSchema(schema.additionalProperties, depth + 1);
  const { properties } = schema;
  if (isJsonObject(properties)) {
    const names = Object.keys(properties).sort();
    if (Array.isArray(schema.required)) {
      const required = schema.required.filter((name) => !isNullable(properties, name));
      out.required = required.length === 0 ? undefined : required;
    }
    out.properties = Object.fromEntries(
      names.map((name) => [name, publishSchema(properties[name], depth + 1)]),
    );
  }
  return out;
}

/** Clients take null for a field that is missing. */
function isNullable(properties: Readonly<Record<string, unknown>>, name: unknown): boolean {
  const property = typeof name === 'string' ? ownValue(properties, name) : undefined;
  return isJsonObject(property) && property.nullable === true;
}

function withoutShape({ required: _, ...rest }: Record<string, unknown>): Schema {
  return rest;
}
