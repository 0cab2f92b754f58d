import {
  CustomKind,
  type CustomSources,
  type DefinitionOutline,
  outlineOf,
} from '../../apis/customs/index.ts';
import type { CustomResourceDefinition } from '../../apis/types/apiextensions-v1beta1.ts';
import type { CachedObject, CacheWatch, WatchEvent } from '../../storage/watch-cache/index.ts';
import { keyOf, type ResourceStore } from '../resource-store.ts';
import type { CustomStores } from './custom-stores.ts';

/** What definitions are read with. */
export interface DefinitionsOptions {
  /** Store of the definitions themselves. */
  readonly store: ResourceStore;
  readonly customs: CustomStores;
  readonly sources: CustomSources;
  /** Whether the server serves a group version itself, whatever definitions say of it. */
  readonly isBuiltIn: (group: string, version: string) => boolean;
}

/** Told of each definition that was taken in; without an outline it is gone. */
export type DefinitionListener = (name: string, outline: DefinitionOutline | undefined) => void;

/**
 * The stored definitions, followed through the watch cache, whoever writes them: what they define is served as they say. Each
 * is parsed once for each of its changes; only outlines stay in memory.
 */
export class Definitions {
  readonly #options: DefinitionsOptions;
  readonly #outlines = new Map<string, DefinitionOutline>();
  #listener: DefinitionListener = () => {};

  constructor(options: DefinitionsOptions) {
    this.#options = options;
  }

  /** All definitions by name. */
  get outlines(): ReadonlyMap<string, DefinitionOutline> {
    return this.#outlines;
  }

  /** A definition as it is stored now; a tree of the caller's own. */
  get(name: string): CustomResourceDefinition | undefined {
    const object = this.#cached(name);
    return object && decodeDefinition(object);
  }

  /** Takes in what is stored, with rests, then what happens, until the returned function is called. */
  async follow(): Promise<() => void> {
    const { cache } = this.#options.store;
    const { revision } = cache;
    const slice = cache.slices.begin(1);
    for (const object of [...cache.objects.values()]) {
      this.#take(object);
      if (slice.isSpent()) await slice.rest();
    }
    let watch = this.#watch(revision, restart);
    return () => watch.close();

    function restart(next: CacheWatch): void {
      watch = next;
    }
  }

  /** Has changes reported from now on. */
  listen(listener: DefinitionListener): void {
    this.#listener = listener;
  }

  /** Takes in a definition at once that was just written. */
  refresh(name: string): void {
    const object = this.#cached(name);
    if (object !== undefined) this.#take(object);
  }

  #cached(name: string): CachedObject | undefined {
    const { store } = this.#options;
    return store.cache.get(keyOf(store, '', name));
  }

  #watch(afterRevision: number | 'state', restarted: (watch: CacheWatch) => void): CacheWatch {
    const { store } = this.#options;
    return store.cache.watch(
      { prefix: store.keyPrefix, afterRevision },
      {
        onEvent: (event) => this.#apply(event),
        onError: (error) => {
          if (error.code === 'closed') return;
          // Events were lost: what is no longer stored goes, the rest is taken in anew.
          for (const name of [...this.#outlines.keys()])
            if (this.#cached(name) === undefined) this.#drop(name);
          restarted(this.#watch('state', restarted));
        },
      },
    );
  }

  #apply({ type, object }: WatchEvent): void {
    const name = object.key.slice(this.#options.store.keyPrefix.length);
    if (type === 'DELETED') this.#drop(name);
    else this.#take(object);
    this.#listener(name, this.#outlines.get(name));
  }

  #take(object: CachedObject): void {
    const { customs, sources } = this.#options;
    const outline = this.#withoutBuiltIn(outlineOf(decodeDefinition(object)));
    const { name } = outline;
    this.#outlines.set(name, outline);
    const load = (): CustomResourceDefinition => this.get(name) ?? decodeDefinition(object);
    if (outline.isServing) customs.set(new CustomKind(outline, sources, load, customs.kindOf(name)));
    else customs.delete(name);
  }

  /** Built-in resources have their group version to themselves: nothing else is found there, or told of. */
  #withoutBuiltIn(outline: DefinitionOutline): DefinitionOutline {
    const { isBuiltIn } = this.#options;
    if (!outline.versions.some(({ name }) => isBuiltIn(outline.group, name))) return outline;
    const versions = outline.versions.map((version) =>
      isBuiltIn(outline.group, version.name) ? { ...version, isServed: false } : version,
    );
    return { ...outline, versions };
  }

  #drop(name: string): void {
    this.#outlines.delete(name);
    this.#options.customs.delete(name);
  }
}

/** What is stored as a definition was checked to be one. */
const decodeDefinition = (object: CachedObject): CustomResourceDefinition =>
  object.decode() as CustomResourceDefinition;
