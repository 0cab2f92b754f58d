import { stampRevision } from '../stamp.ts';
import { CachedObject, type ObjectScope } from './cached-object.ts';

/** Tells whether a watch or list wants an object. Pure, and cheap: it runs for every object and watcher. */
export type ObjectPredicate = (object: CachedObject) => boolean;

/** One event as a watcher sees it. Shared by all watchers that see it alike. */
export class WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** New state; for `DELETED` the last state that matched, stamped with the event's revision. */
  readonly object: CachedObject;
  readonly revision: number;
  #memos: Map<string, Buffer> | undefined;

  constructor(type: WatchEvent['type'], object: CachedObject, revision: number) {
    this.type = type;
    this.object = object;
    this.revision = revision;
  }

  /** The result of the first `make` for `name`: the encoded frame, say. Shared: never change it. */
  memo(name: string, make: () => Buffer): Buffer {
    this.#memos ??= new Map();
    let made = this.#memos.get(name);
    if (made === undefined) {
      made = make();
      this.#memos.set(name, made);
    }
    return made;
  }
}

export interface ChangeInit {
  readonly kind: 'put' | 'delete';
  readonly object: CachedObject;
  readonly previous: CachedObject | undefined;
}

/** What a change costs beside the bytes that it holds. */
const overheadBytes = 512;

/** One write to one object, and the events that watchers with different selections see of it. */
export class Change {
  readonly kind: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** New state, or for a delete the last state stamped with the delete's revision. */
  readonly object: CachedObject;
  readonly previous: CachedObject | undefined;
  readonly #scope: ObjectScope;
  #whole: WatchEvent | undefined;
  #entering: WatchEvent | undefined;
  #leaving: WatchEvent | undefined;

  constructor(scope: ObjectScope, { kind, object, previous }: ChangeInit) {
    this.#scope = scope;
    this.kind = kind;
    this.key = object.key;
    this.revision = object.revision;
    this.object = object;
    this.previous = previous;
  }

  /** Memory that keeping the change keeps: the replaced version, and a frame encoded for watches that resume. */
  get retainedBytes(): number {
    return overheadBytes + this.object.bytes.length + (this.previous?.bytes.length ?? 0);
  }

  /** Memory that the replaced version needs. */
  get replacedBytes(): number {
    return overheadBytes + (this.previous?.bytes.length ?? 0);
  }

  /** What a watcher of every object sees. */
  get whole(): WatchEvent {
    if (this.#whole === undefined) {
      const type = this.kind === 'delete' ? 'DELETED' : this.previous === undefined ? 'ADDED' : 'MODIFIED';
      this.#whole = new WatchEvent(type, this.object, this.revision);
    }
    return this.#whole;
  }

  /**
   * What a watcher of the objects that satisfy `matches` sees: an object that starts to match is added, one that
   * ceases to match is deleted; undefined when it matched neither before nor after.
   */
  select(matches: ObjectPredicate | undefined): WatchEvent | undefined {
    if (matches === undefined) return this.whole;
    const didMatch = this.previous !== undefined && matches(this.previous);
    const doesMatch = this.kind === 'put' && matches(this.object);
    if (doesMatch) return didMatch || this.previous === undefined ? this.whole : this.#enter();
    if (!didMatch) return undefined;
    return this.kind === 'delete' ? this.whole : this.#leave(this.previous);
  }

  /** Lets go of events and their encoded frames; they are made again for watches that resume. */
  forgetEvents(): void {
    this.#whole = undefined;
    this.#entering = undefined;
    this.#leaving = undefined;
  }

  #enter(): WatchEvent {
    this.#entering ??= new WatchEvent('ADDED', this.object, this.revision);
    return this.#entering;
  }

  #leave(previous: CachedObject): WatchEvent {
    if (this.#leaving === undefined) {
      const bytes = stampRevision(previous.bytes, this.revision);
      const object = new CachedObject(this.#scope, { key: this.key, revision: this.revision, bytes });
      this.#leaving = new WatchEvent('DELETED', object, this.revision);
    }
    return this.#leaving;
  }
}
