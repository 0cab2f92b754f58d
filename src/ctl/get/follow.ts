import { asJsonObject, asText, type Clock, pause } from '../../base/index.ts';
import { createBackoff } from '../../client/list-watch/index.ts';
import {
  type RestClient,
  type RestRequest,
  TransportError,
  type WatchEvent,
  watchEvents,
} from '../../client/rest/index.ts';
import { isReason, StatusError } from '../../machinery/errors/index.ts';
import { isPassing } from '../passing-error.ts';
import { readDocuments } from '../resource/read-collection.ts';
import { type Target, targetPath } from '../resource/target.ts';

/**
 * What comes from following: pages of a list, the end of that list, changes. Where failures are outlived, `lost` tells of
 * each; a page with `isFirst` begins a list anew, and one that had begun is void.
 */
export type Followed =
  | { readonly kind: 'page'; readonly document: unknown; readonly isFirst: boolean }
  | { readonly kind: 'listed' }
  | { readonly kind: 'event'; readonly event: WatchEvent }
  | { readonly kind: 'lost'; readonly error: unknown };

/** How a target is followed. */
export interface FollowOptions {
  readonly accept: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly chunkSize: number;
  readonly signal: AbortSignal;
  /** Is called when `--request-timeout` ends the watch. */
  readonly onTimeout?: (() => void) | undefined;
  /** Failures that pass by are outlived once there was a list; otherwise each is thrown. */
  readonly outlives?: { readonly clock: Clock; readonly endsAfterTimeout: boolean } | undefined;
}

/** Longest pause between attempts to reach a server again. */
const maxPauseMs = 10_000;

/** Seconds after which a server is asked to end a watch, so that a dead connection does not go unnoticed for good. */
const patientWatchSeconds = 300;

/** A watch that the server ends sooner is not resumed at once. */
const minWatchMs = 1000;

/**
 * Lists a target and watches it from there, until the signal aborts or `--request-timeout` has passed. When the server ends
 * the watch, a new one goes on where it stopped. @throws what the server refuses
 */
export async function* followTarget(
  client: RestClient,
  target: Target,
  options: FollowOptions,
): AsyncGenerator<Followed> {
  const { signal, outlives } = options;
  const backoff = createBackoff({ maxMs: maxPauseMs });
  let isFirst = true;
  let version: string | undefined;
  let startedAtMs = 0;
  while (!signal.aborted) {
    try {
      version ??= yield* list(client, target, { ...options, isFirst });
      isFirst = false;
      startedAtMs = outlives?.clock.nowMs() ?? 0;
      for await (const event of watchEvents(client, watchRequest(target, options, version))) {
        version = eventVersionOf(event) || version;
        backoff.reset();
        if (event.type !== 'BOOKMARK') yield { kind: 'event', event };
      }
      if (outlives === undefined) continue;
      if (outlives.clock.nowMs() - startedAtMs >= minWatchMs) backoff.reset();
    } catch (error) {
      if (signal.aborted) return;
      // --request-timeout says how long to watch, which is no failure.
      const isTimeout = !isFirst && error instanceof TransportError && error.code === 'timeout';
      if (isTimeout && (outlives?.endsAfterTimeout ?? true)) return options.onTimeout?.();
      if (outlives === undefined || isFirst || !isPassing(error)) throw error;
      // A new list also where the watch could be resumed: when it has come, the server is known to be back.
      version = undefined;
      if (!isGone(error)) yield { kind: 'lost', error };
    }
    await pause(outlives.clock, backoff.nextDelayMs(), signal);
  }
}

/** The version that the list stands at. */
async function* list(
  client: RestClient,
  target: Target,
  options: FollowOptions & { readonly isFirst: boolean },
): AsyncGenerator<Followed, string> {
  let version = '';
  let isFirst = true;
  try {
    for await (const document of readDocuments(client, target, options)) {
      version = versionOf(document);
      yield { kind: 'page', document, isFirst };
      isFirst = false;
    }
  } catch (error) {
    // An object that was there, and went while nobody could see it.
    if (options.isFirst || !isReason(error, 'NotFound')) throw error;
    yield { kind: 'page', document: { items: [] }, isFirst: true };
  }
  yield { kind: 'listed' };
  return version;
}

function watchRequest(target: Target, options: FollowOptions, resourceVersion: string): RestRequest {
  const { name, ...collection } = target;
  const byName = name === undefined ? target.fieldSelector : `metadata.name=${name}`;
  const patience =
    options.outlives === undefined ? {} : { allowWatchBookmarks: true, timeoutSeconds: patientWatchSeconds };
  return {
    method: 'GET',
    path: targetPath({ ...collection, name: undefined }),
    accept: options.accept,
    signal: options.signal,
    query: {
      ...options.query,
      labelSelector: target.labelSelector,
      fieldSelector: byName,
      ...patience,
      resourceVersion,
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof StatusError && error.code === 410;
}

/** Where a watch goes on after this event. Tables carry it in the objects of their rows. */
function eventVersionOf({ object }: WatchEvent): string {
  const { rows } = asJsonObject(object);
  return versionOf(Array.isArray(rows) ? asJsonObject(rows[0]).object : object);
}

function versionOf(document: unknown): string {
  return asText(asJsonObject(asJsonObject(document).metadata).resourceVersion);
}
