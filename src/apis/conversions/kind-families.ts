import { type Dialect, translateData } from '../../machinery/dialect.ts';
import {
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
  type TypeCatalog,
} from '../../machinery/schema/index.ts';
import { lifecycleOf, loadResources, loadVersionHistory } from '../resources/index.ts';
import unserved from './unserved-kinds.json' with { type: 'json' };

/** One kind in all of its versions, which hold the same objects. */
export interface KindFamily {
  readonly kind: string;
  /** Version (`group/version`) that all others convert through; the stored one where objects are stored. */
  readonly hub: string;
  /** All versions (`group/version`), the preferred first; those that are not served any more last. */
  readonly versions: readonly string[];
  /** Whether the kind belongs to a namespace; undefined for kinds that are no resource of their own. */
  readonly isNamespaced: boolean | undefined;
  /**
   * Version that replaces one of `versions` which is removed or will be; undefined where the release that is served
   * has none.
   */
  replacementFrom(groupVersion: string): string | undefined;
  /** Version to move to from one of `versions`: where a deprecated one points, else the preferred one of its group. */
  preferredFrom(groupVersion: string): string;
}

/** All built-in kinds. */
export interface KindFamilies {
  /** Every version (`group/version`) that some kind has. */
  readonly versions: ReadonlySet<string>;
  /** The family of a kind; undefined for kinds that are not built in. */
  find(kind: GroupVersionKind): KindFamily | undefined;
}

interface Member {
  readonly groupVersion: string;
  readonly kind: string;
  readonly hub: string;
  readonly isNamespaced: boolean | undefined;
}

/** Makes the families of all built-in kinds, alpha and removed versions among them, in the names of a dialect. */
export function createKindFamilies(dialect: Dialect, catalog: TypeCatalog): KindFamilies {
  const members = [...servedMembers(dialect), ...unservedMembers(dialect)];
  const groups = new Map<string, Member[]>();
  for (const member of members) {
    const key = `${member.hub}.${member.kind}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [member]);
    else known.push(member);
  }
  const families = new Map<string, KindFamily>();
  const history = loadVersionHistory(dialect);
  const replacementOf = (groupVersion: string, kind: string): string | undefined => {
    const gone = history.gone.find((item) => item.version === groupVersion && item.kinds.includes(kind));
    const replacement = gone?.replacement ?? lifecycleOf(history, groupVersion, kind)?.replacement;
    const target = replacement?.split(' ')[0];
    // Some replacements come in a later release.
    return target !== undefined && hasKind(catalog, target, kind) ? target : undefined;
  };
  for (const family of groups.values()) {
    const built = buildFamily(family, replacementOf);
    for (const { groupVersion, kind } of family) families.set(`${groupVersion}.${kind}`, built);
  }
  return {
    versions: new Set(members.map(({ groupVersion }) => groupVersion)),
    find: ({ group, version, kind }) => families.get(`${formatGroupVersion(group, version)}.${kind}`),
  };
}

function buildFamily(
  members: readonly Member[],
  replacementOf: (groupVersion: string, kind: string) => string | undefined,
): KindFamily {
  const [first] = members;
  if (first === undefined) throw new RangeError('a kind without versions');
  const { kind, hub } = first;
  const versions = members.map(({ groupVersion }) => groupVersion);
  const groupOf = (groupVersion: string) => parseGroupVersion(groupVersion)?.group;
  const replacementFrom = (groupVersion: string): string | undefined => {
    const replacement = replacementOf(groupVersion, kind);
    if (replacement !== undefined) return replacement;
    const isServed = members.some(
      (member) => member.groupVersion === groupVersion && member.isNamespaced !== undefined,
    );
    return isServed || groupVersion === hub ? undefined : hub;
  };
  const preferredFrom = (groupVersion: string): string => {
    const target = replacementFrom(groupVersion) ?? groupVersion;
    // Groups list their preferred version first.
    const preferred = versions.find((candidate) => groupOf(candidate) === groupOf(target)) ?? target;
    return replacementFrom(preferred) ?? preferred;
  };
  const preferred = preferredFrom(hub);
  const isNamespaced = members.find((member) => member.isNamespaced !== undefined)?.isNamespaced;
  return {
    kind,
    hub,
    isNamespaced,
    versions: [preferred, ...versions.filter((version) => version !== preferred)],
    replacementFrom,
    preferredFrom,
  };
}

function servedMembers(dialect: Dialect): Member[] {
  const { groups, resources } = loadResources(dialect);
  return groups.flatMap(({ name, versions }) =>
    versions.flatMap((version) => {
      const groupVersion = formatGroupVersion(name, version);
      return Object.values(resources[groupVersion] ?? {}).map(({ kind, storage, namespaced }) => ({
        groupVersion,
        kind,
        // Reviews and such are not stored: they convert through the first version of their group.
        hub: storage ?? formatGroupVersion(name, versions[0] ?? version),
        isNamespaced: namespaced,
      }));
    }),
  );
}

function unservedMembers(dialect: Dialect): Member[] {
  // The file's inferred type has one shape per version; all are texts by kind.
  const data: Readonly<Record<string, Readonly<Record<string, string>>>> = translateData(dialect, unserved);
  return Object.entries(data).flatMap(([groupVersion, hubs]) =>
    Object.entries(hubs).map(([kind, hub]) => ({ groupVersion, kind, hub, isNamespaced: undefined })),
  );
}

function hasKind(catalog: TypeCatalog, groupVersion: string, kind: string): boolean {
  const parsed = parseGroupVersion(groupVersion);
  return parsed !== undefined && catalog.kind({ ...parsed, kind }) !== undefined;
}

/**
 * True for two versions, of one group or of several, that hold the same objects. It is asked about requests that fail,
 * so what it needs is made when it is first asked.
 */
export function createKindComparison(
  dialect: Dialect,
  catalog: TypeCatalog,
): (first: GroupVersionKind, second: GroupVersionKind) => boolean {
  let families: KindFamilies | undefined;
  return (first, second) => {
    families ??= createKindFamilies(dialect, catalog);
    const family = families.find(first);
    return family !== undefined && family === families.find(second);
  };
}
