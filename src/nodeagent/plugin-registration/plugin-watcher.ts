import type { Dirent } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, errorCode, errorText, type Logger, PathWatch, pause } from '../../base/index.ts';
import type { PluginHandler, PluginType } from './contract.ts';
import type { RegisteredPlugin } from './register-plugin.ts';

/** Where plugins put their sockets, and who serves them by their type. */
export interface PluginWatcherOptions {
  /** Made when it is missing; folders below it are looked at too. */
  readonly folder: string;
  readonly handlers: Readonly<Partial<Record<PluginType, PluginHandler>>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What the system does not announce is found after this long. */
const rescanMs = 10_000;
/** Pauses after a registration that failed: they double (release 1.20). */
const firstDelayMs = 500;
const maxDelayMs = 122_000;
/** Sockets deeper than this, and more than this many of them, are not looked at. */
const maxDepth = 4;
const maxSockets = 1000;

/** One socket, from its first sight until it is gone and its plugin was given up. */
interface Socket {
  /** Differs for another socket of the same path. */
  identity: string;
  /** Undefined: not registered. */
  registered: (RegisteredPlugin & { readonly identity: string }) | undefined;
  delayMs: number;
  nextAtMs: number;
  /** The work on this socket that is under way. */
  work: Promise<void> | undefined;
}

/**
 * Follows the sockets below a folder: a new one is registered, one that is gone is given up, one that took the place of
 * another is both. What fails is tried again after growing pauses.
 */
export class PluginWatcher implements AsyncDisposable {
  readonly #options: PluginWatcherOptions;
  readonly #handlers: ReadonlyMap<string, PluginHandler>;
  readonly #sockets = new Map<string, Socket>();
  readonly #stop = new AbortController();
  readonly #watches = new Map<string, PathWatch>();
  #wake = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: PluginWatcherOptions) {
    this.#options = options;
    this.#handlers = new Map(Object.entries(options.handlers));
  }

  /** Makes the folder and begins to look. @throws Error when the folder cannot be made */
  async start(): Promise<void> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o750 });
    this.#loop = this.#run();
  }

  /** Plugins stay registered: they serve the pods that run on. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#wake.resolve();
    await this.#loop;
    for (const watch of this.#watches.values()) watch[Symbol.dispose]();
    await Promise.all(Array.from(this.#sockets.values(), ({ work }) => work));
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      await this.#look();
      const nowMs = clock.nowMs();
      const waits = Array.from(this.#sockets.values(), (socket) =>
        // Work that is under way wakes the loop when it ends.
        isSettled(socket) || socket.work !== undefined ? rescanMs : Math.max(socket.nextAtMs - nowMs, 0),
      );
      const cancel = new AbortController();
      await Promise.race([
        this.#wake.promise,
        pause(clock, Math.min(rescanMs, ...waits), AbortSignal.any([signal, cancel.signal])),
      ]);
      cancel.abort();
    }
  }

  async #look(): Promise<void> {
    let found: ReadonlyMap<string, string>;
    try {
      found = await this.#findSockets();
    } catch (error) {
      this.#options.logger.error('plugin folder not readable', { error: errorText(error) });
      return;
    }
    for (const [path, identity] of found) {
      const known = this.#sockets.get(path);
      if (known === undefined) {
        const fresh = {
          identity,
          registered: undefined,
          delayMs: firstDelayMs,
          nextAtMs: 0,
          work: undefined,
        };
        this.#sockets.set(path, fresh);
      } else if (known.identity !== identity) {
        Object.assign(known, { identity, delayMs: firstDelayMs, nextAtMs: 0 });
      }
    }
    const nowMs = this.#options.clock.nowMs();
    for (const [path, socket] of this.#sockets) {
      if (!found.has(path)) socket.identity = '';
      const isDue = !isSettled(socket) && socket.nextAtMs <= nowMs;
      if (isDue && socket.work === undefined) socket.work = this.#settle(path, socket);
      else if (socket.identity === '' && isSettled(socket)) this.#sockets.delete(path);
    }
  }

  /** Brings one socket's plugin where its socket is. Never rejects. */
  async #settle(path: string, socket: Socket): Promise<void> {
    const { clock, logger } = this.#options;
    try {
      const { registered } = socket;
      if (registered !== undefined) {
        await registered.handler.unregister(registered.plugin);
        socket.registered = undefined;
        logger.info('plugin unregistered', { name: registered.plugin.name, path });
      }
      const { identity } = socket;
      if (identity !== '') {
        // Loaded with the first socket: most nodes have none.
        const { registerPlugin } = await import('./register-plugin.ts');
        const made = await registerPlugin(path, this.#handlers, this.#stop.signal);
        socket.registered = { ...made, identity };
        logger.info('plugin registered', { name: made.plugin.name, path });
      }
      socket.delayMs = firstDelayMs;
    } catch (error) {
      if (!this.#stop.signal.aborted) {
        logger.error('plugin registration failed', { path, error: errorText(error) });
      }
      socket.nextAtMs = clock.nowMs() + socket.delayMs;
      socket.delayMs = Math.min(socket.delayMs * 2, maxDelayMs);
    } finally {
      socket.work = undefined;
      this.#wake.resolve();
    }
  }

  /** Sockets by their paths, each with what tells it from another one there; names with a leading dot are left out. */
  async #findSockets(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const folders: { readonly path: string; readonly depth: number }[] = [
      { path: this.#options.folder, depth: 0 },
    ];
    const seen = new Set<string>();
    for (const { path: folder, depth } of folders) {
      this.#watch(folder);
      seen.add(folder);
      for (const entry of await this.#entriesOf(folder, depth)) {
        const path = join(folder, entry.name);
        if (entry.name.startsWith('.')) continue;
        if (entry.isDirectory() && depth < maxDepth) folders.push({ path, depth: depth + 1 });
        if (!entry.isSocket() || found.size >= maxSockets) continue;
        const identity = await identityOf(path);
        if (identity !== undefined) found.set(path, identity);
      }
    }
    for (const [folder, watch] of this.#watches) {
      if (seen.has(folder)) continue;
      watch[Symbol.dispose]();
      this.#watches.delete(folder);
    }
    return found;
  }

  #watch(folder: string): void {
    const { clock } = this.#options;
    const watch = this.#watches.get(folder) ?? new PathWatch({ onChange: () => this.#wake.resolve(), clock });
    this.#watches.set(folder, watch);
    watch.set(folder, (name) => !name.startsWith('.'));
  }

  async #entriesOf(folder: string, depth: number): Promise<Dirent[]> {
    try {
      return await readdir(folder, { withFileTypes: true });
    } catch (error) {
      // A folder may go between one look and the other.
      if (depth > 0 && errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

const isSettled = ({ identity, registered }: Socket): boolean => (registered?.identity ?? '') === identity;

/** Undefined when it is gone meanwhile. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, birthtimeMs } = await stat(path);
    return `${dev} ${ino} ${birthtimeMs}`;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
