import { badRequest, expired, otherFailure, type StatusError } from '../machinery/errors/index.ts';
import type { FieldSelector, FieldTerm, LabelSelector } from '../machinery/selectors/index.ts';
import { StorageError } from '../storage/index.ts';
import type { CachedObject, ListPage } from '../storage/watch-cache/index.ts';
import { type Consistency, type ListQuery, listConsistency, listTime } from './list-options.ts';
import { readPast } from './read-past.ts';
import { keyOf, type ResourceStore } from './resource-store.ts';
import { parseResourceVersion } from './resource-version.ts';
import {
  futureRevision,
  tooLargeResourceVersion,
  tooOldResourceVersion,
  translateStorageError,
} from './storage-errors.ts';

/** How long a list or watch waits for a version that has not happened yet. */
export const versionWaitMs = 3000;
/** Release 1.20's text for a page whose state is gone. */
const tooOldToken =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** Which objects of a resource are meant. An empty namespace means all namespaces. */
export interface Selection {
  readonly namespace: string;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

/** What a list selects, from which version on, and how much of it one page may hold. */
export interface ListRequest extends Selection, ListQuery {
  /** Asked for only when the request must wait. */
  readonly signal?: (() => AbortSignal) | undefined;
}

/** A page of a list, as stored objects in key order. */
export interface ListResult {
  readonly objects: readonly CachedObject[];
  readonly revision: number;
  /** Token for the next page; undefined on the last. */
  readonly continueToken?: string | undefined;
  /** Objects after this page; undefined when selectors make it unknown. */
  readonly remainingItemCount?: number | undefined;
}

/**
 * Lists objects at one revision: from memory, or from the store when it is no longer there.
 *
 * @throws StatusError 400 for bad tokens, 410 when the revision is gone, 504 when it does not come.
 */
export async function listObjects(store: ResourceStore, asked: ListRequest): Promise<ListResult> {
  const { gates } = store.environment.ruleContext;
  const request = gates.has('APIListChunking') ? asked : { ...asked, limit: 0, continueToken: '' };
  if (gates.has('RemainingItemCount')) return listPage(store, request);
  const { remainingItemCount: _, ...result } = await listPage(store, request);
  return result;
}

async function listPage(store: ResourceStore, request: ListRequest): Promise<ListResult> {
  if (request.continueToken !== '') return continueList(store, request);
  const timeMs = listTime(request);
  const consistency: Consistency =
    timeMs === undefined
      ? listConsistency(request, isUncached(store))
      : { kind: 'exact', revision: revisionAt(store, timeMs) };
  if (consistency.kind === 'exact') await checkHappened(store, consistency.revision);
  const revision = await settle(store, consistency, request);
  // Any version (`0`) is answered with the whole list from memory: release 1.20's cache knows no pages either.
  const limit = consistency.kind === 'any' ? 0 : request.limit;
  const begunAtMs = store.environment.nowMs();
  return readPage(store, { ...request, limit }, { rest: undefined, revision, left: undefined, begunAtMs });
}

/** @throws StatusError 410 for a time that the store knows no revision of */
function revisionAt({ storage }: ResourceStore, timeMs: number): number {
  const revision = storage.revisionAt(timeMs);
  if (revision === undefined) throw expired(tooOldResourceVersion);
  return revision;
}

async function continueList(store: ResourceStore, request: ListRequest): Promise<ListResult> {
  const { resourceVersion } = request;
  if (resourceVersion !== '') parseResourceVersion(resourceVersion, 'store');
  const prefix = prefixOf(store, request.namespace);
  const { revision, startKey, left, begunAtMs } = store.tokens.decode(request.continueToken, prefix);
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const { nowMs, listLifetimeMs = Infinity } = store.environment;
  if (begunAtMs !== undefined && nowMs() - begunAtMs > listLifetimeMs) {
    throw expiredToken(store, prefix, startKey);
  }
  const consistency: Consistency =
    revision === undefined ? { kind: 'most-recent' } : { kind: 'exact', revision };
  return readPage(store, request, {
    rest: startKey,
    revision: await settle(store, consistency, request),
    left,
    // The rest of a list that has expired shows the present, as a new list does.
    begunAtMs: revision === undefined ? nowMs() : begunAtMs,
  });
}

/**
 * Waits until the cache has reached the requested state. Resolves with the revision to read at, or undefined for the
 * newest.
 */
async function settle(
  store: ResourceStore,
  consistency: Consistency,
  { resourceVersion, signal }: Pick<ListRequest, 'resourceVersion' | 'signal'>,
): Promise<number | undefined> {
  if (consistency.kind === 'any') return undefined;
  if (consistency.kind === 'most-recent') {
    await waitFor(store, await store.storage.currentRevision(), { signal });
    return undefined;
  }
  if (consistency.kind === 'not-older-than' && isUncached(store)) {
    const current = await store.storage.currentRevision();
    if (consistency.revision > current) {
      throw tooLargeResourceVersion(
        `${shownVersion(consistency.revision, resourceVersion)}, current: ${current}`,
        0,
      );
    }
    await waitFor(store, current, { signal });
    return undefined;
  }
  await waitFor(store, consistency.revision, { asked: resourceVersion, signal });
  return consistency.kind === 'exact' ? consistency.revision : undefined;
}

/** Just this state is asked of the store, which waits for none. @throws StatusError 500 for one that has not been yet. */
async function checkHappened({ watchCache, storage }: ResourceStore, revision: number): Promise<void> {
  if (revision <= watchCache.revision || revision <= (await storage.currentRevision())) return;
  throw otherFailure(500, '', futureRevision);
}

interface Wait {
  /** The version as the client wrote it: a number may not hold all of its digits. */
  readonly asked?: string;
  readonly signal?: (() => AbortSignal) | undefined;
}

/** @throws StatusError 504 when the cache does not reach the revision in time. */
export async function waitFor(
  { watchCache }: Pick<ResourceStore, 'watchCache'>,
  revision: number,
  { asked, signal }: Wait = {},
): Promise<void> {
  if (watchCache.revision >= revision) return;
  try {
    await watchCache.waitForRevision(revision, { timeoutMs: versionWaitMs, signal: signal?.() });
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'future-revision') throw error;
    throw tooLargeResourceVersion(`${shownVersion(revision, asked)}, current: ${watchCache.revision}`);
  }
}

/** All digits of a version. */
const shownVersion = (revision: number, asked: string | undefined): bigint | number =>
  Number(asked) === revision ? BigInt(asked ?? 0) : revision;

const isUncached = (store: ResourceStore): boolean => store.environment.isUncached?.(store) === true;

interface PageStart {
  /** Where the list goes on, relative to its prefix; undefined on the first page. */
  readonly rest: string | undefined;
  /** State to show; the current one when undefined. */
  readonly revision: number | undefined;
  /** Objects from there on, when that is known. */
  readonly left: number | undefined;
  readonly begunAtMs: number | undefined;
}

async function readPage(store: ResourceStore, request: ListRequest, start: PageStart): Promise<ListResult> {
  const exactName = request.fields.requiredValue('metadata.name');
  const { namespace } = request;
  const isNewest = start.revision === undefined && start.rest === undefined;
  if (exactName !== undefined && isNewest && (namespace !== '' || !store.isNamespaced)) {
    return readOne(store, request, exactName);
  }
  const prefix = prefixOf(store, namespace);
  try {
    const { objects, revision, nextKey, remaining } = await findPage(store, request, start);
    if (nextKey === undefined) return { objects, revision };
    const startKey = nextKey.slice(prefix.length);
    return {
      objects,
      revision,
      continueToken: store.tokens.encode(
        { revision, startKey, left: remaining, begunAtMs: start.begunAtMs },
        prefix,
      ),
      remainingItemCount: remaining,
    };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code !== 'compacted') throw translateStorageError(error);
    throw start.rest === undefined ? expired(tooOldResourceVersion) : expiredToken(store, prefix, start.rest);
  }
}

/** A page from memory, or from the store when its state is no longer in memory. */
async function findPage(
  store: ResourceStore,
  request: ListRequest,
  { rest, revision, left }: PageStart,
): Promise<ListPage> {
  const { fields } = request;
  const prefix = prefixOf(store, request.namespace);
  const startKey = prefix + (rest ?? '');
  const limit = request.limit > 0 ? request.limit : undefined;
  const matches = matcherOf(request);
  const requiredValue = fields.isEmpty ? undefined : fields.requiredValue;
  // What another program has compacted is gone for all servers, also for one that still has it in memory.
  if (revision !== undefined && store.freshen !== undefined) await store.storage.get(prefix, revision);
  try {
    return await store.cache.read({ prefix, startKey, limit, snapshot: revision, matches, requiredValue });
  } catch (error) {
    if (revision === undefined || !(error instanceof StorageError) || error.code !== 'compacted') throw error;
    const name = requiredValue?.('metadata.name');
    if (name !== undefined && rest === undefined && (request.namespace !== '' || !store.isNamespaced)) {
      const stored = await store.storage.get(keyOf(store, request.namespace, name), revision);
      const found = stored === undefined ? [] : [store.cache.adopt(stored)];
      const objects = matches === undefined ? found : found.filter(matches);
      return { objects, revision, nextKey: undefined, remaining: undefined };
    }
    return await readPast(store, { prefix, startKey, limit, revision, matches, left });
  }
}

/** 410 with a token for the rest of the list as it is now. */
function expiredToken(store: ResourceStore, prefix: string, startKey: string): StatusError {
  const error = expired(tooOldToken);
  error.status.metadata = { continue: store.tokens.encode({ revision: undefined, startKey }, prefix) };
  return error;
}

/** A list that names one object is a lookup. */
function readOne(store: ResourceStore, request: ListRequest, name: string): ListResult {
  const object = store.cache.get(keyOf(store, request.namespace, name));
  const matches = matcherOf(request);
  const isMatch = object !== undefined && (matches === undefined || matches(object));
  return { objects: isMatch ? [object] : [], revision: store.watchCache.revision };
}

/** The predicate of the selectors; undefined when every object matches. */
export function matcherOf(selection: Selection): ((object: CachedObject) => boolean) | undefined {
  const { labels, fields } = selection;
  if (labels.isEmpty && fields.isEmpty) return undefined;
  if (fields.isEmpty) return (object) => labels.matches(object.labels);
  const { terms } = fields;
  if (labels.isEmpty) return (object) => matchesTerms(terms, object);
  return (object) => labels.matches(object.labels) && matchesTerms(terms, object);
}

/** Reads no more fields than it must. */
function matchesTerms(terms: readonly FieldTerm[], object: CachedObject): boolean {
  for (const { field, value, isNegated } of terms) {
    if ((object.field(field) === value) === isNegated) return false;
  }
  return true;
}

/** Key prefix of a selection's namespace. */
export function prefixOf(store: ResourceStore, namespace: string): string {
  return store.isNamespaced && namespace !== '' ? `${store.keyPrefix}${namespace}/` : store.keyPrefix;
}
