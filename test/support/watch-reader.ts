import type { IncomingMessage } from 'node:http';
import { createInterface, type Interface } from 'node:readline';
import type { JsonObject } from './api-client.ts';

/** An event as it came over the wire. */
export interface WireEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject;
}

/** How long a test waits for the next event before it calls it missing. */
const patienceMs = 10_000;

/** The events of one watch, in order. */
export class WatchReader {
  /** All that came so far. */
  readonly events: WireEvent[] = [];
  /** Resolves when the answer is over: `end` when the server finished it, `broken` when the connection went away. */
  readonly ended: Promise<'end' | 'broken'>;
  readonly #answer: IncomingMessage;
  readonly #lines: Interface;
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  constructor(answer: IncomingMessage) {
    this.#answer = answer;
    const lines = createInterface({ input: answer });
    this.#lines = lines;
    lines.on('line', (line) => {
      const event = parseEvent(line);
      if (event !== undefined) this.events.push(event);
      this.#wake();
    });
    this.ended = new Promise((resolve) => {
      answer.on('error', () => {}); // told by `close`
      lines.on('error', () => {});
      answer.on('close', () => {
        this.#isOver = true;
        this.#wake();
        resolve(answer.complete ? 'end' : 'broken');
      });
    });
  }

  /** Resolves with the first `count` events once there are that many. @throws Error when they do not come. */
  async take(count: number): Promise<readonly WireEvent[]> {
    await this.until(() => this.events.length >= count, `${count} events`);
    return this.events.slice(0, count);
  }

  /** Waits until the events fit. @throws Error naming `what` when they do not in time, or the watch ends before. */
  async until(fits: () => boolean, what: string): Promise<void> {
    const lateAt = Date.now() + patienceMs;
    while (!fits()) {
      if (this.#isOver || Date.now() > lateAt) {
        const seen = this.events.map(({ type }) => type).join(' ');
        throw new Error(`${what} expected on a watch${this.#isOver ? ' that is over' : ''}: saw [${seen}]`);
      }
      await this.#change();
    }
  }

  /** Types and names of what came so far, for comparing. */
  get lines(): string[] {
    return this.events.map(({ type, object }) => `${type} ${object.metadata?.name ?? ''}`.trimEnd());
  }

  /** Stops reading, as a client does that is busy or hangs. */
  pause(): void {
    this.#lines.pause();
  }

  /** Reads on. */
  resume(): void {
    this.#lines.resume();
  }

  /** Leaves the watch. */
  close(): void {
    this.#answer.destroy();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, patienceMs);
      this.#waiting.add(done);
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

/** Undefined for what is no whole frame: the last one may be torn by a connection that breaks. */
function parseEvent(line: string): WireEvent | undefined {
  try {
    return JSON.parse(line) as WireEvent; // what is not an event fails the test that looks at it
  } catch {
    return undefined;
  }
}
