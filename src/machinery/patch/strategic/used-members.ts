import { isJsonObject, type JsonObject, setOwn } from '../../../base/index.ts';

/**
 * Members of a patch that are gone once they were followed: strategicpatch takes them out of the patch, which messages
 * about the result show as it is then.
 */
export class UsedMembers {
  readonly #used = new WeakMap<JsonObject, Set<string>>();

  /** Notes that a member of an object of the patch was followed. */
  add(holder: JsonObject, name: string): void {
    const names = this.#used.get(holder);
    if (names === undefined) this.#used.set(holder, new Set([name]));
    else names.add(name);
  }

  /** What is left of a value of the patch. */
  without(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.without(item));
    if (!isJsonObject(value)) return value;
    const names = this.#used.get(value);
    const left: JsonObject = {};
    for (const name of Object.keys(value)) {
      if (names?.has(name) !== true) setOwn(left, name, this.without(value[name]));
    }
    return left;
  }
}
