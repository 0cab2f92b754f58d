import type { ApiObject } from '../machinery/meta/index.ts';
import { keyOf, type SharedInformer } from './shared-informers.ts';

/**
 * What an informer shows, or what was written here and the informer does not show yet: a decision by what was there before
 * would be made twice, such as to give one volume to two claims.
 */
export class Written<T extends ApiObject> {
  readonly #informer: SharedInformer<T>;
  readonly #own = new Map<string, T>();

  constructor(informer: SharedInformer<T>) {
    this.#informer = informer;
    informer.listen({ onDelete: (gone) => this.forget(gone) });
  }

  /** The object by its name. */
  get(namespace: string, name: string): T | undefined {
    const shown = this.#informer.get(namespace, name);
    return shown && this.#newest(shown);
  }

  /** All of them, in no order. */
  list(): readonly T[] {
    return this.#informer.list().map((shown) => this.#newest(shown));
  }

  /** An answer to a write. */
  set(object: T): void {
    this.#own.set(keyOf(object), object);
  }

  /** What was written counts no more: the object is gone, or a later write did not come off. */
  forget(object: T): void {
    this.#own.delete(keyOf(object));
  }

  #newest(shown: T): T {
    const key = keyOf(shown);
    const own = this.#own.get(key);
    if (own === undefined) return shown;
    if (BigInt(own.metadata.resourceVersion ?? 0) > BigInt(shown.metadata.resourceVersion ?? 0)) return own;
    this.#own.delete(key);
    return shown;
  }
}
