/**
 * Log files of containers in the format of the container runtime interface, copied from the files that the engine keeps:
 * one follower for each running container, woken by the file system, that goes on where the one before it has ended.
 */

import type { Clock, Logger } from '../../../base/index.ts';
import { LogFollower } from './log-follower.ts';

/** A container whose log is kept. */
export interface LoggedContainer {
  readonly id: string;
  /** The engine's file. */
  readonly source: string;
  readonly logPath: string;
}

/** The logs of all containers. */
export class LogKeeper implements AsyncDisposable {
  readonly #options: { readonly clock: Clock; readonly logger: Logger };
  readonly #followers = new Map<string, LogFollower>();
  /** Containers that have ended and whose whole log was copied. */
  readonly #finished = new Map<string, Promise<void>>();

  constructor(options: { readonly clock: Clock; readonly logger: Logger }) {
    this.#options = options;
  }

  /** Whether nothing more needs to be done for a container while it runs. */
  isFollowed(id: string): boolean {
    return this.#followers.has(id) || this.#finished.has(id);
  }

  /** Copies the log of a container that runs from now on. Resolves when the log's file is there. */
  async follow({ id, source, logPath }: LoggedContainer): Promise<void> {
    if (!this.isFollowed(id)) this.#followers.set(id, new LogFollower({ source, logPath, ...this.#options }));
    await this.#followers.get(id)?.opened;
  }

  /** Resolves when the log of a container that has ended is complete. */
  finish(container: LoggedContainer): Promise<void> {
    const { id } = container;
    const known = this.#finished.get(id);
    if (known !== undefined) return known;
    void this.follow(container);
    const finished = this.#followers.get(id)?.finish() ?? Promise.resolve();
    this.#finished.set(id, finished);
    return finished.finally(() => this.#followers.delete(id));
  }

  /** False for a container whose log is not followed. */
  async reopen(id: string): Promise<boolean> {
    const follower = this.#followers.get(id);
    await follower?.reopen();
    return follower !== undefined;
  }

  /** Forgets a container that was removed. */
  async forget(id: string): Promise<void> {
    await this.#followers.get(id)?.abort();
    this.#followers.delete(id);
    this.#finished.delete(id);
  }

  /** Forgets all containers but these. */
  async retain(ids: ReadonlySet<string>): Promise<void> {
    const known = [...this.#followers.keys(), ...this.#finished.keys()];
    await Promise.all(known.filter((id) => !ids.has(id)).map((id) => this.forget(id)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#followers.values()].map((follower) => follower.abort()));
    this.#followers.clear();
  }
}
