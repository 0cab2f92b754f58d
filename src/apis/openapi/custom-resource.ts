import { isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ServedResource } from '../resources/index.ts';
import { customDefinitionName, definitionNameOf } from './definition-names.ts';
import { refTo, type Schema } from './swagger.ts';

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
  { resource: { group, version, kind, listKind }, schema }: CustomResource,
): readonly (readonly [string, () => Schema])[] {
  const name = dialect.spell(customDefinitionName(group, version, kind));
  const toBuiltIn = (typeName: string): Schema => refTo(dialect.spell(definitionNameOf(typeName)));
  const identity = (of: string) => ({
    [`${dialect.extensionPrefix}group-version-kind`]: [{ group, kind: of, version }],
  });
  return [
    [name, () => ({ ...publishRoot(schema, toBuiltIn(objectMeta)), ...identity(kind) })],
    [
      dialect.spell(customDefinitionName(group, version, listKind)),
      () => ({
        description: `A list of objects of kind ${kind}.`,
        type: 'object',
        required: ['items'],
        properties: {
          apiVersion: typeMeta.apiVersion,
          items: { description: 'The objects.', type: 'array', items: refTo(name) },
          kind: typeMeta.kind,
          metadata: { description: 'What is known of the list.', ...toBuiltIn(listMeta) },
        },
        ...identity(listKind),
      }),
    ],
  ];
}

function publishRoot(schema: unknown, metadata: Schema): Schema {
  if (schema === undefined) return { type: 'object' };
  const root = publishSchema(schema, 0);
  if (root.type !== 'object' || root.properties === undefined) return { ...root, type: 'object' };
  return {
    ...root,
    properties: {
      ...root.properties,
      ...typeMeta,
      metadata: { description: 'What every object has.', ...metadata },
    },
  };
}

/**
 * A schema of OpenAPI v3 as clients of v2 read it. They would take what they do not know for an error, so that
 * anything which v2 cannot say becomes "any JSON": nullable values, integers or texts, unknown fields kept.
 */
function publishSchema(schema: unknown, depth: number): Schema {
  if (typeof schema !== 'object' || schema === null || depth > maxDepth) return {};
  const source = schema as Readonly<Record<string, unknown>>; // an object; members are checked one by one
  const out: Record<string, unknown> = {};
  for (const name in source) if (kept.has(name) || name.startsWith('x-')) out[name] = source[name];
  const keepsUnknown = Object.entries(source).some(
    ([name, value]) => name.endsWith('-preserve-unknown-fields') && value === true,
  );
  const isAny =
    source.nullable === true || Object.keys(source).some((name) => name.endsWith('-int-or-string'));
  if (isAny) return withoutShape(out);
  if (typeof source.type === 'string') out.type = source.type;
  if (keepsUnknown) return withoutShape(out);
  if (source.items !== undefined) out.items = publishSchema(source.items, depth + 1);
  if (isJsonObject(source.additionalProperties))
    out.additionalProperties = publishSchema(source.additionalProperties, depth + 1);
  if (isJsonObject(source.properties)) {
    out.properties = Object.fromEntries(
      Object.keys(source.properties)
        .sort()
        .map((name) => [
          name,
          publishSchema((source.properties as Record<string, unknown>)[name], depth + 1),
        ]),
    );
  }
  return out;
}

function withoutShape({ required: _, ...rest }: Record<string, unknown>): Schema {
  return rest;
}
