import { isJsonObject, isStrings, ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { extensionNames } from '../../machinery/schema/structural/index.ts';
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
  apiVersion: {
    description: 'APIVersion defines the group and version that the object is written in.',
    type: 'string',
  },
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
  description: "Standard object's metadata, which every object has.",
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
  // Beside properties that are named, clients would refuse all others.
  if (!isJsonObject(schema) || schema[extensionNames(dialect).preserve] === true) return { type: 'object' };
  return { ...withIdentity(publishSchema(schema, dialect, 0), dialect), type: 'object' };
}

/**
 * A schema of OpenAPI v3 as clients of v2 read it. They would take what they do not know for an error, so that anything
 * which v2 cannot say becomes "any JSON": nullable values, integers or texts, unknown fields kept, lists of anything.
 * Source: `ToStructuralOpenAPIV2` and `addEmbeddedProperties` of release 1.20.
 */
function publishSchema(schema: unknown, dialect: Dialect, depth: number): Schema {
  if (!isJsonObject(schema) || depth > maxDepth) return {};
  const out: Record<string, unknown> = {};
  for (const name in schema) if (kept.has(name) || name.startsWith('x-')) out[name] = schema[name];
  const names = extensionNames(dialect);
  const keepsUnknown = schema[names.preserve] === true;
  const hasShape = schema.nullable !== true && !keepsUnknown;
  const { type, items, additionalProperties } = schema;
  const isAny =
    schema.nullable === true ||
    (type === 'object' && keepsUnknown) ||
    (type === 'array' && (items === undefined || keepsUnknown));
  if (typeof type === 'string' && !isAny) out.type = type;
  if (hasShape && items !== undefined) out.items = publishSchema(items, dialect, depth + 1);
  if (additionalProperties === true) out.additionalProperties = true;
  else if (isJsonObject(additionalProperties))
    out.additionalProperties = publishSchema(additionalProperties, dialect, depth + 1);
  const properties = hasShape && isJsonObject(schema.properties) ? schema.properties : undefined;
  if (properties !== undefined) {
    const sorted = Object.keys(properties).sort();
    out.properties = Object.fromEntries(
      sorted.map((name) => [name, publishSchema(properties[name], dialect, depth + 1)]),
    );
  }
  const required = stringsIn(schema.required).filter((name) => !isNullable(ownValue(properties ?? {}, name)));
  out.required = required.length === 0 || isNullable(additionalProperties) ? undefined : required;
  if (schema[names.embedded] !== true || keepsUnknown) return out;
  const alsoRequired = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
  return { ...withIdentity(out, dialect), required: [...stringsIn(out.required), ...alsoRequired] };
}

/** With what every object has. */
const withIdentity = (schema: Schema, dialect: Dialect): Schema => ({
  ...schema,
  properties: { ...schema.properties, ...typeMeta, metadata: metadataOf(dialect) },
});

const stringsIn = (value: unknown): readonly string[] => (isStrings(value) ? value : []);

/** Clients take null for a field that is missing. */
const isNullable = (schema: unknown): boolean => isJsonObject(schema) && schema.nullable === true;
