/**
 * Stores of custom resources, which come and go with their definitions. What a definition means is known in `apis/customs`;
 * the verbs are those of all kinds.
 */

import { isDeepStrictEqual } from 'node:util';
import { overlapsBuiltIn } from '../../apis/apiextensions/index.ts';
import type { CustomDirectory, CustomKind, CustomVersion } from '../../apis/customs/index.ts';
import { customResourceFields } from '../../apis/fields/index.ts';
import type { ServedResource } from '../../apis/resources/index.ts';
import type { TablePrinter } from '../../apis/tables/index.ts';
import type { ApplySchema } from '../../machinery/apply/index.ts';
import { type GroupVersionResource, parseGroupVersion } from '../../machinery/schema/index.ts';
import type { SelectableFields } from '../../machinery/selectors/index.ts';
import type { ServedKind } from '../resource-store.ts';
import { CustomServed } from './custom-served.ts';
import { CustomStore, type SharedParts } from './custom-store.ts';

/** One version of a custom resource, ready to be served. Another object after each change of its definition. */
export interface CustomResource {
  readonly info: ServedResource;
  readonly served: ServedKind;
  readonly printer: TablePrinter;
  readonly selectableFields: SelectableFields;
  /** How the record of owners sees objects. */
  readonly views: ApplySchema;
}

/** What stores of custom resources are made of. */
export interface CustomStoresOptions extends SharedParts {
  readonly customs: CustomDirectory;
}

/** What belongs to the definition of one uid. */
interface Entry {
  readonly store: CustomStore;
  readonly served: Map<string, CustomServed>;
  /** Made when first asked for, anew after each change. */
  resources: Map<string, CustomResource>;
}

/** The stores of all custom resources. They come with their definitions, follow their changes, and go with them. */
export class CustomStores {
  readonly #parts: SharedParts;
  readonly #directory: CustomDirectory;
  /** Stores that were asked for, by name of the definition. */
  readonly #entries = new Map<string, Entry>();

  constructor({ customs, ...parts }: CustomStoresOptions) {
    this.#directory = customs;
    this.#parts = parts;
  }

  /** The resource that a path names, if a version of a definition serves it. */
  find({ group, version, resource }: GroupVersionResource): CustomResource | undefined {
    const kind = this.#directory.ofResource(group, resource);
    if (kind === undefined) return undefined;
    const outline = kind.outline.versions.find(({ name }) => name === version);
    return outline?.isServed === true ? this.#resource(kind, version) : undefined;
  }

  /** A version of a kind, served or not. */
  ofKind(apiVersion: string, kindName: string): CustomResource | undefined {
    const parsed = parseGroupVersion(apiVersion);
    const found = parsed && this.#directory.version({ ...parsed, kind: kindName });
    if (found === undefined) return undefined;
    const kind = this.#directory.ofResource(found.info.group, found.info.resource);
    return kind && this.#resource(kind, found.info.version);
  }

  /** The kind of a definition. */
  kindOf(name: string): CustomKind | undefined {
    return this.#directory.kinds.get(name);
  }

  /** A version of a kind, served or not. */
  ofVersion(kind: CustomKind, version: string): CustomResource | undefined {
    return this.#resource(kind, version);
  }

  /** Stores that were asked for. */
  *stores(): Generator<CustomStore> {
    for (const { store } of this.#entries.values()) yield store;
  }

  /** Lets go what was compiled and not used since the last call. */
  forgetIdle(): void {
    for (const { store } of this.#entries.values()) store.kind.forgetIdle();
  }

  /**
   * A definition is served from now on, or has changed: the watches of its objects end when it wants something else or has
   * other names, so that clients list anew what it makes of objects now.
   */
  set(kind: CustomKind): void {
    const known = this.#directory.kinds.get(kind.outline.name);
    if (known !== undefined && !isSameResource(known, kind)) this.delete(kind.outline.name);
    this.#directory.set(kind);
    const entry = this.#entries.get(kind.outline.name);
    if (entry === undefined) return;
    const mayDiffer = !saysTheSame(entry.store.kind, kind);
    entry.store.follow(kind);
    entry.resources = new Map();
    for (const [name, served] of entry.served) {
      const version = kind.version(name);
      if (mayDiffer) served.retire();
      if (version === undefined) entry.served.delete(name);
      else served.follow(version);
    }
  }

  /** A definition is served no more: the watches of its objects end. */
  delete(name: string): void {
    this.#directory.delete(name);
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    const { dialect } = this.#parts.environment.ruleContext;
    // A built-in kind of the same place lives on.
    if (!overlapsBuiltIn(entry.store, dialect)) this.#parts.watchCache.release(entry.store.cache);
  }

  #entry(kind: CustomKind): Entry {
    const { name } = kind.outline;
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      const made: Entry = {
        store: new CustomStore(kind, this.#parts, () => this.#versions(made)),
        served: new Map(),
        resources: new Map(),
      };
      entry = made;
      this.#entries.set(name, entry);
    }
    return entry;
  }

  #resource(kind: CustomKind, versionName: string): CustomResource | undefined {
    const entry = this.#entry(kind);
    const known = entry.resources.get(versionName);
    if (known !== undefined) return known;
    const version = kind.version(versionName);
    if (version === undefined) return undefined;
    const made = resourceOf(version, this.#served(entry, version));
    entry.resources.set(versionName, made);
    return made;
  }

  #versions(entry: Entry): readonly CustomServed[] {
    const { kind } = entry.store;
    return kind.outline.versions.flatMap(({ name }) => {
      const version = kind.version(name);
      return version === undefined ? [] : [this.#served(entry, version)];
    });
  }

  #served({ store, served }: Entry, version: CustomVersion): CustomServed {
    let found = served.get(version.info.version);
    if (found === undefined) {
      found = new CustomServed(store, version);
      served.set(version.info.version, found);
    }
    return found;
  }
}

const resourceOf = (version: CustomVersion, served: CustomServed): CustomResource => ({
  info: version.info,
  served,
  printer: version.printer,
  selectableFields: customResourceFields(version.info),
  get views() {
    return version.views;
  },
});

/** Whether objects of both are at the same place: else it is another resource of the same name. */
const isSameResource = ({ outline: a }: CustomKind, { outline: b }: CustomKind): boolean =>
  a.uid === b.uid && a.isNamespaced === b.isNamespaced && a.names.kind === b.names.kind;

/** Whether objects of both are served alike. A version that is served no more is a change, too. */
const saysTheSame = ({ outline: a }: CustomKind, { outline: b }: CustomKind): boolean =>
  a.generation === b.generation && isDeepStrictEqual(a.names, b.names);
