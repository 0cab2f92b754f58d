import { asJsonObject, isJsonObject, type JsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import type { Resource } from './resource.ts';

/** All objects of a kustomization, found by kind and original name. */
export class ResourceMap {
  #resources: Resource[] = [];

  get all(): readonly Resource[] {
    return this.#resources;
  }

  /** @throws CtlError when there is one of the same kind, name, namespace, prefixes and suffixes. */
  add(resources: readonly Resource[]): void {
    const ids = new Set(this.#resources.map(({ id }) => id));
    for (const resource of resources) {
      const { id } = resource;
      if (ids.has(id)) throw new CtlError(`id '${JSON.stringify(id)}' already used`);
      ids.add(id);
      this.#resources.push(resource);
    }
  }

  /** Objects of this kind and original name, whatever became of their names since. */
  named(wanted: Pick<Resource, 'group' | 'version' | 'kind' | 'originalName'>): readonly Resource[] {
    return this.#resources.filter((resource) => resource.isNamedLike(wanted));
  }

  /** Takes an object away. */
  remove(resource: Resource): void {
    this.#resources = this.#resources.filter((other) => other !== resource);
  }

  /**
   * Adds what generators made; some of it is put over, or in the place of, an object of the bases.
   *
   * @throws CtlError when such an object is missing, or there and not expected.
   */
  addGenerated(resources: readonly Resource[]): void {
    for (const resource of resources) {
      const [known, ...others] = this.named(resource);
      const what = `${resource.kind} ${JSON.stringify(resource.originalName)}`;
      if (others.length > 0) {
        const ids = [known, ...others].map((match) => match?.id).join(' ');
        throw new CtlError(`merge conflict, found multiple objects [${ids}] that ${what} can merge into`);
      }
      if (known === undefined) {
        if (resource.behavior !== 'create') {
          throw new CtlError(`${what} does not exist; cannot merge or replace`);
        }
        this.#resources.push(resource);
      } else if (resource.behavior === 'create') {
        throw new CtlError(`${what} exists; its behavior must be merge or replace`);
      } else {
        coverObject(known.object, resource);
        resource.prefixes = known.prefixes;
        resource.suffixes = known.suffixes;
        resource.namespace = known.namespace;
        this.#resources[this.#resources.indexOf(known)] = resource;
      }
    }
  }
}

/** Gives a generated object the name, and below its own the labels, annotations and data, of the one that it covers. */
function coverObject(known: JsonObject, { object, behavior }: Resource): void {
  const below = asJsonObject(known.metadata);
  const above = asJsonObject(object.metadata);
  object.metadata = {
    ...below,
    ...above,
    name: below.name,
    ...(below.namespace === undefined ? {} : { namespace: below.namespace }),
    labels: { ...asJsonObject(below.labels), ...asJsonObject(above.labels) },
    annotations: { ...asJsonObject(below.annotations), ...asJsonObject(above.annotations) },
  };
  if (behavior !== 'merge') return;
  for (const field of ['data', 'binaryData']) {
    if (isJsonObject(known[field])) object[field] = { ...known[field], ...asJsonObject(object[field]) };
  }
}
