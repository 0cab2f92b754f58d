import { definitionNameOf } from './definition-names.ts';
import { describeField, describeType } from './descriptions.ts';
import { refTo, type Schema } from './swagger.ts';
import { listGroupVersions, type SchemaField, type SchemaType, schemaTypes } from './type-source.ts';

const scalars: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  any: { type: 'object' },
};
/** Types with their own JSON form, by the name behind the last dot. No entry: any JSON. */
const specials: Readonly<Record<string, Schema>> = {
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
  Duration: { type: 'string' },
  Quantity: { type: 'string' },
  IntOrString: { type: 'string', format: 'int-or-string' },
  RawExtension: { type: 'object' },
  FieldsV1: { type: 'object' },
};
/** Types that are written out where they are used, as lists have no definition of their own. */
const inlined: Readonly<Record<string, Schema>> = {
  Verbs: { type: 'array', items: { type: 'string' } },
  ExtraValue: { type: 'array', items: { type: 'string' } },
};
/** Definitions that are no types of the catalog. */
const extraDefinitions: Readonly<Record<string, Schema>> = {
  'meta.orch.io/v1.Patch': {
    description: 'A change of an object, in the form that the content type names.',
    type: 'object',
  },
  'version.Info': {
    description: 'What a server was built from.',
    type: 'object',
    required: ['major', 'minor', 'gitVersion', 'gitCommit', 'gitTreeState', 'buildDate'].concat([
      'goVersion',
      'compiler',
      'platform',
    ]),
    properties: Object.fromEntries(
      ['buildDate', 'compiler', 'gitCommit', 'gitTreeState', 'gitVersion']
        .concat(['goVersion', 'major', 'minor', 'platform'])
        .map((name) => [name, { type: 'string' }]),
    ),
  },
};
/** Kinds of the protocol that each group version has, and those that only the core group names. */
const kindsOfAllGroups = new Set(['DeleteOptions', 'WatchEvent']);
const kindsOfCore = new Set(['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Status']);

const shortName = (typeName: string): string => typeName.slice(typeName.lastIndexOf('.') + 1);

/** Catalog types that a field's type text names, without those that are written out. */
function referenced(text: string): string | undefined {
  const name = text.replace(/^(?:list<|map<string,)+/, '').replace(/>+$/, '');
  return scalars[name] !== undefined || inlined[shortName(name)] !== undefined ? undefined : name;
}

/** The types given and all that they are made of, sorted by the names of their definitions. */
export function closeOver(roots: Iterable<string>): readonly string[] {
  const seen = new Set(roots);
  for (const name of seen) {
    for (const field of schemaTypes[name]?.f ?? []) {
      const inner =
        field.inline === 1 || field.json === '-' || field.later === 1 ? undefined : referenced(field.t);
      if (inner !== undefined) seen.add(inner);
    }
  }
  const named = [...seen].map((name) => ({ name, key: definitionNameOf(name) }));
  return named.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ name }) => name);
}

/** Schema of a value by its type text, for where it is used. */
function schemaOf(text: string): Schema {
  const scalar = scalars[text];
  if (scalar !== undefined) return scalar;
  if (text.startsWith('list<')) return { type: 'array', items: schemaOf(text.slice(5, -1)) };
  if (text.startsWith('map<string,'))
    return { type: 'object', additionalProperties: schemaOf(text.slice(11, -1)) };
  return inlined[shortName(text)] ?? refTo(definitionNameOf(text));
}

/** Markers that tell clients how to merge values of a field. */
function markersOf(field: SchemaField): Record<string, unknown> {
  const mapType = field.mapType ?? field.structType;
  return {
    ...(field.listMapKeys === undefined ? {} : { 'x-orch-list-map-keys': field.listMapKeys }),
    ...(field.listType === undefined ? {} : { 'x-orch-list-type': field.listType }),
    ...(mapType === undefined ? {} : { 'x-orch-map-type': mapType }),
    ...(field.patchMergeKey === undefined ? {} : { 'x-orch-patch-merge-key': field.patchMergeKey }),
    ...(field.patchStrategy === undefined ? {} : { 'x-orch-patch-strategy': field.patchStrategy.join(',') }),
  };
}

function groupVersionKindsOf(typeName: string, type: SchemaType): Record<string, unknown> {
  const kind = shortName(typeName);
  // Events of watches are registered like kinds, but have no kind of their own.
  if (type.kind !== 1 && kind !== 'WatchEvent') return {};
  const [version = '', group = ''] = typeName.slice(0, typeName.lastIndexOf('.')).split('/').reverse();
  const name = 'x-orch-group-version-kind';
  if (group !== 'meta.orch.io') return { [name]: [{ group, kind, version }] };
  if (kindsOfCore.has(kind)) return { [name]: [{ group: '', kind, version: 'v1' }] };
  if (!kindsOfAllGroups.has(kind)) return {};
  return {
    [name]: listGroupVersions().map((known) => ({ group: known.group, kind, version: known.version })),
  };
}

function unionsOf({ unions }: SchemaType): Record<string, unknown> {
  if (unions === undefined) return {};
  const entries = unions.map(({ discriminator, fields }) => ({
    discriminator,
    'fields-to-discriminateBy': fields,
  }));
  return { 'x-orch-unions': entries };
}

/**
 * The definition of a catalog type, all names spelled as the data has them.
 *
 * @throws RangeError when there is no such type.
 */
export function definitionOf(typeName: string): Schema {
  const extra = extraDefinitions[typeName];
  if (extra !== undefined) return extra;
  const type = schemaTypes[typeName];
  if (type === undefined) throw new RangeError(`type not found: ${JSON.stringify(typeName)}`);
  const about = describeType(typeName);
  const description = about === undefined ? {} : { description: about };
  if (type.f === undefined) return { ...description, ...specials[shortName(typeName)] };
  const properties: Record<string, Schema> = {};
  const fields = type.f.filter(({ inline, json, later }) => inline !== 1 && json !== '-' && later !== 1);
  for (const field of fields.toSorted((a, b) => (a.n < b.n ? -1 : 1))) {
    const text = describeField(typeName, field);
    properties[field.n] = {
      ...(text === undefined ? {} : { description: text }),
      ...schemaOf(field.t),
      ...markersOf(field),
    };
  }
  const required = fields.filter(({ req }) => req === 1).map(({ n }) => n);
  return {
    ...description,
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    ...(fields.length === 0 ? {} : { properties }),
    ...groupVersionKindsOf(typeName, type),
    ...(type.structType === undefined ? {} : { 'x-orch-map-type': type.structType }),
    ...unionsOf(type),
  };
}
