import { type CompiledType, compareVersions, type GroupVersionKind } from '../../machinery/schema/index.ts';
import type { ServedGroup, ServedResource } from '../resources/index.ts';
import type { CustomKind } from './custom-kind.ts';
import type { CustomVersion } from './custom-version.ts';

/** Names of groups that are remembered: more than anybody lists. */
const maxFormerGroups = 1000;

/** The kinds of all definitions that are served now, by name, path and kind. Lookups take constant time. */
export class CustomDirectory {
  readonly #byName = new Map<string, CustomKind>();
  /** By `group/plural`. */
  readonly #byResource = new Map<string, CustomKind>();
  /** By `group/Kind`. */
  readonly #byKind = new Map<string, CustomKind>();
  readonly #groups = new Map<string, Set<CustomKind>>();
  readonly #formerGroups = new Set<string>();
  #revision = 0;

  /** Grows with every change. */
  get revision(): number {
    return this.#revision;
  }

  /** All kinds by the name of their definition. */
  get kinds(): ReadonlyMap<string, CustomKind> {
    return this.#byName;
  }

  /** Adds a kind, in place of the one of the same definition. */
  set(kind: CustomKind): void {
    this.delete(kind.outline.name);
    const { name, group, names } = kind.outline;
    this.#byName.set(name, kind);
    this.#byResource.set(`${group}/${names.plural}`, kind);
    this.#byKind.set(`${group}/${names.kind}`, kind);
    const others = this.#groups.get(group);
    if (others === undefined) this.#groups.set(group, new Set([kind]));
    else others.add(kind);
  }

  /** Removes the kind of a definition, if it is there. */
  delete(name: string): void {
    this.#revision++;
    const kind = this.#byName.get(name);
    if (kind === undefined) return;
    const { group, names } = kind.outline;
    this.#byName.delete(name);
    dropOwn(this.#byResource, `${group}/${names.plural}`, kind);
    dropOwn(this.#byKind, `${group}/${names.kind}`, kind);
    const others = this.#groups.get(group);
    others?.delete(kind);
    if (others?.size !== 0) return;
    this.#groups.delete(group);
    if (this.#formerGroups.size < maxFormerGroups) this.#formerGroups.add(group);
  }

  /** Groups that were there once. Release 1.20 lists their paths until it ends. */
  get formerGroups(): Iterable<string> {
    return this.#formerGroups;
  }

  /** The kind whose objects are at these paths. */
  ofResource(group: string, resource: string): CustomKind | undefined {
    return this.#byResource.get(`${group}/${resource}`);
  }

  /** A version of a kind, served or not: objects may be stored in it. */
  version({ group, version, kind }: GroupVersionKind): CustomVersion | undefined {
    return this.#byKind.get(`${group}/${kind}`)?.version(version);
  }

  /** The type of a custom kind in a version that is served. */
  type(gvk: GroupVersionKind): CompiledType | undefined {
    const version = this.version(gvk);
    return version?.outline.isServed === true ? version.type : undefined;
  }

  /** Groups with established versions that are served, in discovery order. */
  groups(): ServedGroup[] {
    const groups: { readonly group: ServedGroup; readonly key: string }[] = [];
    for (const [name, kinds] of this.#groups) {
      const versions = new Set<string>();
      for (const { outline } of kinds) for (const version of established(outline)) versions.add(version.name);
      const sorted = [...versions].sort(compareVersions);
      const [preferredVersion] = sorted;
      if (preferredVersion === undefined) continue;
      // Release 1.20 orders groups of one priority by the first name of their registrations.
      const [key = ''] = sorted.map((version) => `${version}.${name}`).sort();
      groups.push({ group: { name, versions: sorted, preferredVersion }, key });
    }
    return groups.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ group }) => group);
  }

  /** What discovery shows of a version, by name. */
  inVersion(group: string, version: string): ServedResource[] {
    return this.kindsOf(group).flatMap((kind) =>
      kind.shownResources().filter((resource) => resource.version === version),
    );
  }

  /** The kinds of a group, by the names of their resources. */
  kindsOf(group: string): CustomKind[] {
    return [...(this.#groups.get(group) ?? [])].sort((a, b) =>
      a.outline.names.plural < b.outline.names.plural ? -1 : 1,
    );
  }
}

const established = ({ isEstablished, versions }: CustomKind['outline']) =>
  isEstablished ? versions.filter(({ isServed }) => isServed) : [];

/** Removes an entry unless another kind has taken its place. */
function dropOwn(map: Map<string, CustomKind>, key: string, kind: CustomKind): void {
  if (map.get(key) === kind) map.delete(key);
}
