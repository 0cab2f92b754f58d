import { badRequest, expired } from '../machinery/errors/index.ts';
import type { FieldSelector, LabelSelector } from '../machinery/selectors/index.ts';
import { StorageError } from '../storage/index.ts';
import type { CachedObject } from '../storage/watch-cache/index.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import { type Consistency, type ListQuery, listConsistency } from './list-options.ts';
import { keyOf, type ResourceStore } from './resource-store.ts';
import { tooLargeResourceVersion, translateStorageError } from './storage-errors.ts';

/** How long a list waits for a version that has not happened yet. */
const versionWaitMs = 3000;

/** Which objects of a resource are meant. An empty namespace means all namespaces. */
export interface Selection {
  readonly namespace: string;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

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
 * Lists objects from memory at one revision.
 *
 * @throws StatusError 400 for bad tokens, 410 when the revision is gone, 504 when it does not come.
 */
export async function listObjects(store: ResourceStore, request: ListRequest): Promise<ListResult> {
  if (request.continueToken !== '') return continueList(store, request);
  const consistency = listConsistency(request);
  const snapshot = await settle(store, consistency, request.signal);
  // Any version means what is in memory, whole: the reference's cache knows no pages either.
  const limit = consistency.kind === 'any' ? 0 : request.limit;
  return readPage(store, { ...request, limit }, { startKey: undefined, snapshot });
}

function continueList(store: ResourceStore, request: ListRequest): ListResult {
  const { resourceVersion } = request;
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const position = decodeContinue(request.continueToken, metaGroupOf(store));
  const startKey = prefixOf(store, request.namespace) + position.startKey;
  return readPage(store, request, { startKey, snapshot: position.revision });
}

/** Waits until the cache shows what is asked for; the revision to read at, or undefined for the newest. */
async function settle(
  store: ResourceStore,
  consistency: Consistency,
  signal: (() => AbortSignal) | undefined,
): Promise<number | undefined> {
  if (consistency.kind === 'any') return undefined;
  if (consistency.kind === 'most-recent') {
    await waitFor(store, await store.storage.currentRevision(), signal);
    return undefined;
  }
  await waitFor(store, consistency.revision, signal);
  return consistency.kind === 'exact' ? consistency.revision : undefined;
}

/** @throws StatusError 504 when the cache does not reach the revision in time. */
export async function waitFor(
  store: ResourceStore,
  revision: number,
  signal?: () => AbortSignal,
): Promise<void> {
  const { watchCache } = store;
  if (watchCache.revision >= revision) return;
  try {
    await watchCache.waitForRevision(revision, { timeoutMs: versionWaitMs, signal: signal?.() });
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'future-revision') throw error;
    throw tooLargeResourceVersion(`${revision}, current: ${watchCache.revision}`);
  }
}

interface PageStart {
  readonly startKey: string | undefined;
  readonly snapshot: number | undefined;
}

function readPage(store: ResourceStore, request: ListRequest, { startKey, snapshot }: PageStart): ListResult {
  const exactName = request.fields.requiredValue('metadata.name');
  const { namespace } = request;
  if (exactName !== undefined && (namespace !== '' || !store.isNamespaced) && snapshot === undefined) {
    return readOne(store, request, exactName);
  }
  const prefix = prefixOf(store, namespace);
  const matches = matcherOf(request);
  try {
    const page = store.cache.list({
      prefix,
      startKey,
      limit: request.limit > 0 ? request.limit : undefined,
      snapshot,
      matches,
    });
    return {
      objects: page.objects,
      revision: page.revision,
      continueToken:
        page.nextKey === undefined
          ? undefined
          : encodeContinue(
              { revision: page.revision, startKey: page.nextKey.slice(prefix.length) },
              metaGroupOf(store),
            ),
      remainingItemCount: page.nextKey === undefined || matches !== undefined ? undefined : page.remaining,
    };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === 'compacted' && startKey === undefined) {
      throw expired(`The resourceVersion for the provided list is too old.`);
    }
    throw translateStorageError(error);
  }
}

/** A list that names one object is a lookup. */
function readOne(store: ResourceStore, request: ListRequest, name: string): ListResult {
  const object = store.cache.get(keyOf(store, request.namespace, name));
  const matches = matcherOf(request);
  const isMatch = object !== undefined && (matches === undefined || matches(object));
  return { objects: isMatch ? [object] : [], revision: store.watchCache.revision };
}

/** The test that selectors make; undefined when everything matches. */
export function matcherOf(selection: Selection): ((object: CachedObject) => boolean) | undefined {
  const { labels, fields } = selection;
  if (labels.isEmpty && fields.isEmpty) return undefined;
  if (fields.isEmpty) return (object) => labels.matches(object.labels);
  if (labels.isEmpty) return (object) => fields.matches(object.fields);
  return (object) => labels.matches(object.labels) && fields.matches(object.fields);
}

/** Key prefix of a selection's namespace. */
export function prefixOf(store: ResourceStore, namespace: string): string {
  return store.isNamespaced && namespace !== '' ? `${store.keyPrefix}${namespace}/` : store.keyPrefix;
}

const metaGroupOf = (store: ResourceStore): string => store.environment.ruleContext.dialect.group('meta');
