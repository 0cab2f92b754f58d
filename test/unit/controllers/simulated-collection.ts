import { keyOf } from '../../../src/controllers/shared-informers.ts';
import { controllerOf } from '../../../src/controllers/workloads/claims.ts';
import type { ApiObject } from '../../../src/machinery/meta/index.ts';

interface Listener {
  readonly onAdd?: (object: ApiObject) => void;
  readonly onUpdate?: (object: ApiObject, previous: ApiObject) => void;
  readonly onDelete?: (object: ApiObject) => void;
}

/** The objects of a resource, which everybody sees at once: an informer that a test fills. */
export class SimulatedCollection {
  readonly objects = new Map<string, ApiObject>();
  readonly whenSynced = Promise.resolve();
  readonly #listeners: Listener[] = [];
  #versions = 0;

  list = (): ApiObject[] => [...this.objects.values()];

  get = (namespace: string, name: string): ApiObject | undefined => this.objects.get(`${namespace}/${name}`);

  listIn = (namespace: string): ApiObject[] =>
    this.list().filter(({ metadata }) => metadata.namespace === namespace);

  controlledBy = (uid: string): ApiObject[] =>
    this.list().filter((object) => controllerOf(object)?.uid === uid);

  orphansIn = (namespace: string): ApiObject[] =>
    this.listIn(namespace).filter((object) => controllerOf(object) === undefined);

  listen = (listener: Listener): void => {
    this.#listeners.push(listener);
    for (const object of this.list()) listener.onAdd?.(object);
  };

  set(object: ApiObject): void {
    const previous = this.objects.get(keyOf(object));
    const resourceVersion = String(++this.#versions);
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion } };
    this.objects.set(keyOf(object), stored);
    for (const { onAdd, onUpdate } of this.#listeners) {
      if (previous === undefined) onAdd?.(stored);
      else onUpdate?.(stored, previous);
    }
  }

  delete(object: ApiObject): void {
    this.objects.delete(keyOf(object));
    for (const { onDelete } of this.#listeners) onDelete?.(object);
  }
}
