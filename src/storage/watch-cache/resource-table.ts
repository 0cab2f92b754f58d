import type { ResourceCache } from './resource-cache.ts';

/** Finds the resource that a key belongs to. Keys of no registered resource belong to the rest. */
export class ResourceTable {
  readonly #rest: ResourceCache;
  readonly #byPrefix = new Map<string, ResourceCache>();
  #revision = 0;

  /** @param rest the resource whose prefix is the root of all. */
  constructor(rest: ResourceCache) {
    this.#rest = rest;
  }

  /** Changes when resources come or go. */
  get revision(): number {
    return this.#revision;
  }

  all(): readonly ResourceCache[] {
    return [this.#rest, ...this.#byPrefix.values()];
  }

  /** The resource of `prefix`, made on the first call and given the objects that were loaded before it was known. */
  register(prefix: string, make: () => ResourceCache): ResourceCache {
    const known = this.#byPrefix.get(prefix);
    if (known !== undefined) return known;
    for (const other of this.#byPrefix.keys()) {
      if (other.startsWith(prefix) || prefix.startsWith(other)) {
        throw new RangeError(`invalid resource prefix "${prefix}": it overlaps "${other}"`);
      }
    }
    const resource = make();
    this.#rest.moveTo(resource);
    this.#byPrefix.set(prefix, resource);
    this.#revision++;
    return resource;
  }

  /** Gives the objects of a resource back to the rest. False when it is none of the table. */
  unregister(resource: ResourceCache): boolean {
    if (this.#byPrefix.get(resource.prefix) !== resource) return false;
    this.#byPrefix.delete(resource.prefix);
    this.#rest.takeOver(resource);
    this.#revision++;
    return true;
  }

  find(key: string): ResourceCache {
    const rootLength = this.#rest.prefix.length;
    for (let slash = key.indexOf('/', rootLength); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      const resource = this.#byPrefix.get(key.slice(0, slash + 1));
      if (resource !== undefined) return resource;
    }
    return this.#rest;
  }
}
