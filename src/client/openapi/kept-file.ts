import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asJsonObject, writeFileAtomic } from '../../base/index.ts';
import { hostOf } from '../rest/index.ts';

/** What is kept of a server between commands. */
export interface Kept {
  /** Milliseconds since the epoch. */
  readonly savedAtMs: number;
  /** By what the server tells whether it is still right: an entity tag, or a hash. */
  readonly etag: string;
  readonly text: string;
}

/** A text of a server in a file: a line of JSON about it, then the text itself. */
export class KeptFile {
  readonly #server: string;
  readonly #path: string;

  /** @param name tells the texts of one server apart; '' for the only one. */
  constructor(folder: string, server: string, name: string) {
    this.#server = server;
    const parts = name === '' ? [hostOf(server)] : [hostOf(server), name];
    this.#path = join(folder, `${parts.map((part) => part.replace(/[^\w.]/g, '_')).join('-')}.txt`);
  }

  /** What is kept, however old; undefined when there is nothing or it is another server's. */
  read(): Kept | undefined {
    try {
      const text = readFileSync(this.#path, 'utf8');
      const end = text.indexOf('\n');
      const head = asJsonObject(JSON.parse(text.slice(0, end)));
      if (head.server !== this.#server || typeof head.etag !== 'string') return undefined;
      return { savedAtMs: Number(head.savedAtMs), etag: head.etag, text: text.slice(end + 1) };
    } catch {
      return undefined; // no cache or a broken one: the server knows
    }
  }

  async write({ savedAtMs, etag, text }: Kept): Promise<void> {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o750 });
      const head = JSON.stringify({ savedAtMs, server: this.#server, etag });
      await writeFileAtomic(this.#path, `${head}\n${text}`);
    } catch {
      // A cache that cannot be written (read-only home) makes the next command slower, not wrong.
    }
  }
}

/** Whether something that was kept at a time is not older than it may be; nothing of the future is. */
export const isYoung = ({ savedAtMs }: Pick<Kept, 'savedAtMs'>, nowMs: number, ttlMs: number): boolean =>
  nowMs - savedAtMs >= 0 && nowMs - savedAtMs < ttlMs;
