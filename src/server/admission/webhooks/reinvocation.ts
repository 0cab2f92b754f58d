import type { ApiObject } from '../../../machinery/meta/index.ts';
import { jsonEqual } from '../../../machinery/patch/index.ts';
import { copyOf } from '../../../machinery/schema/index.ts';
import type { Hook } from './hooks.ts';

/**
 * Which webhooks are asked a second time about one request: those that want that (`reinvocationPolicy: IfNeeded`), were
 * asked in the first round, and did not see the last change. There are two rounds at most.
 */
export class Reinvocation {
  /** 0 for the first round. */
  round = 0;
  /** Whether a webhook changed something, so that everybody is asked for a second time. */
  isWanted = false;
  readonly #due = new Set<string>();
  #asked = new Set<string>();
  #last: ApiObject | undefined;
  #hasPatched = false;

  /** The second round begins. */
  begin(object: ApiObject | undefined): void {
    this.round = 1;
    // Plugins have changed the object after the webhooks saw it.
    if (!jsonEqual(this.#last, object)) this.#requireAsked();
  }

  /** True when it is called for the first time: no webhook has patched the object of the request before. */
  isFirstPatch(): boolean {
    const isFirst = !this.#hasPatched;
    this.#hasPatched = true;
    return isFirst;
  }

  /** Whether a webhook is asked in this round. */
  includes({ id }: Hook): boolean {
    return this.round === 0 || this.#due.has(id);
  }

  /** A webhook was asked. */
  note({ id, isReinvoked }: Hook, wasChanged: boolean): void {
    if (wasChanged) {
      this.isWanted = true;
      this.#requireAsked();
    }
    if (isReinvoked) this.#asked.add(id);
  }

  /** A round is over. */
  end(object: ApiObject | undefined): void {
    // Only what a second round compares is worth a copy.
    if (this.round === 0 && this.isWanted) this.#last = object && copyOf(object);
  }

  #requireAsked(): void {
    for (const id of this.#asked) this.#due.add(id);
    this.#asked = new Set();
  }
}
