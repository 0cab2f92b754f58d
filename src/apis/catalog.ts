import { ownData } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { translateData } from '../machinery/dialect.ts';
import {
  type CompiledType,
  createTypeCompiler,
  formatGroupVersion,
  type GroupVersionKind,
  type TypeCatalog,
  type TypeData,
} from '../machinery/schema/index.ts';
import data from './types.json' with { type: 'json' };

interface EnumData {
  readonly values: readonly string[];
}

// The compiler infers a type per key of the file; these two interfaces are what all of them share.
const types = ownData<Readonly<Record<string, TypeData>>>(data.types);
const enums = ownData<Readonly<Record<string, EnumData>>>(data.enums);

/** Kinds of the protocol itself, which every group version has. */
const kindsOfAllGroups = new Set([
  'CreateOptions',
  'DeleteOptions',
  'ExportOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
]);
/** Kinds of the protocol itself, which the core group's `v1` has. */
const kindsOfCore = new Set(['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Status']);

const isOfCoreProtocol = ({ group, version, kind }: GroupVersionKind): boolean =>
  group === '' && version === 'v1' && kindsOfCore.has(kind);

/** Groups with schemes of their own, which know the core group's `v1` beside; others have one together. */
const groupsApart = new Set(
  ['admission', 'apiextensions', 'apiregistration', 'audit', 'client.authentication', 'meta'].map(
    (name) => `${name}.orch.io`,
  ),
);

/** Finds the type of a kind that a definition has added. */
export type FindCustomType = (gvk: GroupVersionKind) => CompiledType | undefined;

/**
 * All types of the API, spelled as the dialect has it, and those of kinds that come and go (`findCustom`). Each is compiled
 * when it is first asked for.
 */
export function createTypeCatalog(dialect: Dialect, findCustom?: FindCustomType): TypeCatalog {
  const dataNames = new Map(Object.keys(types).map((name) => [dialect.spell(name), name]));
  const enumNames = new Map(Object.keys(enums).map((name) => [dialect.spell(name), name]));
  const find = (name: string): TypeData | undefined => {
    const dataName = dataNames.get(name);
    const found = dataName === undefined ? undefined : types[dataName];
    return found === undefined ? undefined : translateData(dialect, found);
  };
  const compiler = createTypeCompiler({ find });
  const metaPrefix = `${dialect.group('meta')}/v1.`;

  let versions: ReadonlySet<string> | undefined;
  const nameOf = ({ group, version, kind }: GroupVersionKind): string => {
    if (kindsOfAllGroups.has(kind)) return metaPrefix + kind;
    if (isOfCoreProtocol({ group, version, kind })) return metaPrefix + kind;
    return `${formatGroupVersion(group, version)}.${kind}`;
  };
  return {
    find,
    kind(gvk) {
      const name = nameOf(gvk);
      const dataName = dataNames.get(name);
      if (dataName === undefined || types[dataName]?.kind !== 1) return findCustom?.(gvk);
      return compiler.type(name);
    },
    hasVersion(groupVersion, ownGroup) {
      if (groupVersion === 'v1') return true;
      const group = dialect.unspell(groupVersion.replace(/\/.*/, ''));
      const own = dialect.unspell(ownGroup);
      if (groupsApart.has(own) ? group !== own : groupsApart.has(group)) return false;
      versions ??= new Set(Object.keys(types).map((name) => name.replace(/\.[^.]*$/, '')));
      return versions.has(dialect.unspell(groupVersion));
    },
    type: (name) => compiler.type(dataNames.has(name) ? name : dialect.spell(name)),
    enumValues(name) {
      const values = enums[enumNames.get(name) ?? name]?.values ?? [];
      return translateData(dialect, values);
    },
  };
}

/** The kinds that a client of just this group knows: its own, and those of the protocol. */
export const catalogOfGroup = (catalog: TypeCatalog, group: string): TypeCatalog => ({
  ...catalog,
  kind: (gvk) => (gvk.group === group || isOfCoreProtocol(gvk) ? catalog.kind(gvk) : undefined),
});
