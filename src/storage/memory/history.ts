import type { StorageEvent } from '../contract.ts';

/** Revision of a store that was never written to. */
export const firstRevision = 1;

/** Part of the events that goes when history has outgrown its bytes. */
const droppedShare = 0.25;

/** Every event after the compacted revision. Revisions have no holes, so an event's place follows from its revision. */
export class History {
  readonly #maxBytes: number;
  #events: StorageEvent[] = [];
  #bytes = 0;
  #compacted = 0;

  /** @param maxBytes of values; above them the oldest quarter of history is forgotten early. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get compacted(): number {
    return this.#compacted;
  }

  push(event: StorageEvent): void {
    this.#events.push(event);
    this.#bytes += event.object.bytes.length;
    if (this.#bytes > this.#maxBytes)
      this.compact(this.#base + Math.ceil(this.#events.length * droppedShare));
  }

  /** Events after `revision`, oldest first. `revision` must not be compacted. */
  after(revision: number): readonly StorageEvent[] {
    return this.#events.slice(Math.max(0, revision - this.#base));
  }

  /** Forgets events up to and including `revision`, which must have happened. */
  compact(revision: number): void {
    if (revision <= this.#compacted) return;
    const dropped = this.#events.splice(0, Math.max(0, revision - this.#base));
    for (const event of dropped) this.#bytes -= event.object.bytes.length;
    this.#compacted = revision;
  }

  /** Revision of the event before the first. */
  get #base(): number {
    return Math.max(firstRevision, this.#compacted);
  }
}
