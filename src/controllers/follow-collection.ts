import { createBackoff } from '../client/list-watch/index.ts';
import { watchEvents } from '../client/rest/index.ts';
import { StatusError } from '../machinery/errors/index.ts';
import type { ListMeta, ObjectMeta } from '../machinery/meta/index.ts';
import type { ControllerContext } from './controller.ts';
import { pause } from './pause.ts';

/** An object as far as it was asked for. */
export interface FollowedObject {
  readonly metadata: ObjectMeta;
}

/** What a follower is told, in the order of the server's revisions. */
export interface CollectionListener<T extends FollowedObject> {
  /** A list begins: what is not observed before `onListed` is gone. */
  onListing(): void;
  /** An object as it is now. */
  onObserved(object: T): void;
  /** A list is complete; changes follow. */
  onListed(): void;
  /** An object is gone; this is its last state. */
  onDeleted(object: T): void;
}

export interface FollowOptions<T extends FollowedObject> {
  /** Path of the collection. */
  readonly path: string;
  readonly listAccept?: string | undefined;
  readonly watchAccept?: string | undefined;
  readonly listener: CollectionListener<T>;
  readonly signal: AbortSignal;
}

type FollowContext = Pick<ControllerContext, 'client' | 'clock' | 'random' | 'logger'>;

const pageSize = 500;
const minWatchSeconds = 300;
/** A watch that ends sooner counts as a failure, so that a server which ends all of them is not asked without rest. */
const minWatchMs = 1000;
const pauses = { firstMs: 100, maxMs: 30_000 };

/**
 * Follows a collection: its state, then every change, through lost connections and forgotten revisions, until the
 * signal aborts. Nothing is kept, not even a list: unlike the client's reflector this one hands over page by page, so
 * that a hundred thousand objects pass through little memory.
 */
export async function followCollection<T extends FollowedObject>(
  context: FollowContext,
  options: FollowOptions<T>,
): Promise<void> {
  const { clock, random, logger } = context;
  const { signal, path } = options;
  const position: Position = { version: undefined };
  const backoff = createBackoff({ ...pauses, random });
  while (!signal.aborted) {
    const startedAtMs = clock.nowMs();
    let problem: unknown;
    try {
      if (position.version === undefined) position.version = await listAll(context, options);
      await watchOnce(context, options, position);
      if (clock.nowMs() - startedAtMs < minWatchMs) problem = 'the watch ended at once';
    } catch (error) {
      problem = error;
      if (isForgotten(error)) position.version = undefined;
    }
    if (problem === undefined) {
      backoff.reset();
      continue;
    }
    if (signal.aborted) return;
    const delayMs = backoff.nextDelayMs();
    logger.debug('following a collection was interrupted', { path, problem, delayMs });
    await pause(clock, delayMs, signal);
  }
}

/** How far a follower has come; undefined before a list and after its revision was forgotten. */
interface Position {
  version: string | undefined;
}

const isForgotten = (error: unknown): boolean => error instanceof StatusError && error.code === 410;

interface Page<T> {
  readonly metadata: ListMeta;
  readonly items?: readonly T[] | null;
}

/** Observes every object, page by page; the version that the list stands at. */
async function listAll<T extends FollowedObject>(
  { client }: FollowContext,
  { path, listAccept: accept, listener, signal }: FollowOptions<T>,
): Promise<string> {
  listener.onListing();
  for (let continueToken: string | undefined; ; ) {
    const query = { limit: pageSize, continue: continueToken };
    const page: Page<T> = await client.json<Page<T>>({ method: 'GET', path, query, accept, signal });
    for (const object of page.items ?? []) listener.onObserved(object);
    continueToken = page.metadata.continue;
    if (continueToken) continue;
    listener.onListed();
    return page.metadata.resourceVersion ?? '';
  }
}

/** Watches from `position` on until the server ends the watch, and moves the position along. */
async function watchOnce<T extends FollowedObject>(
  { client, random }: FollowContext,
  { path, watchAccept: accept, listener, signal }: FollowOptions<T>,
  position: Position,
): Promise<void> {
  const query = {
    resourceVersion: position.version,
    allowWatchBookmarks: true,
    timeoutSeconds: Math.floor(minWatchSeconds * (1 + random())),
  };
  for await (const { type, object } of watchEvents(client, { method: 'GET', path, query, accept, signal })) {
    const followed = object as T; // the caller names what the path answers with
    position.version = followed.metadata.resourceVersion ?? position.version;
    if (type === 'DELETED') listener.onDeleted(followed);
    else if (type !== 'BOOKMARK') listener.onObserved(followed);
  }
}
