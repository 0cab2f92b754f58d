import type { Namespace } from '../apis/types/core-v1.ts';
import { resourcePath } from '../client/rest/index.ts';
import { isReason } from '../machinery/errors/index.ts';
import type { ControllerContext } from './controller.ts';
import { followCollection } from './follow-collection.ts';
import { RetryQueue } from './retry-queue.ts';

const concurrency = 5;
const backoff = { baseMs: 50, maxMs: 30_000 };

export interface EnsureOptions<T> {
  /** The resource of the core group that the object is of. */
  readonly resource: string;
  /** Name of the one object that every namespace shall have. */
  readonly name: string;
  /** The object as it is made. */
  readonly desired: { readonly kind: string } & T;
  /** The object to write in place of one that is there; undefined when that will do. */
  readonly repair?: ((current: T & { readonly metadata: object }) => unknown) | undefined;
}

/**
 * Sees to it that one object exists in every active namespace, again after it was deleted or, with `repair`, changed.
 * Runs until the signal aborts.
 */
export async function ensureInNamespaces<T extends object>(
  context: ControllerContext,
  options: EnsureOptions<T>,
): Promise<void> {
  const { clock, random, signal, logger } = context;
  const active = new Set<string>();
  const queue = new RetryQueue<string>({
    reconcile: (namespace) =>
      active.has(namespace) ? ensure(context, namespace, options) : Promise.resolve(),
    concurrency,
    backoff: { ...backoff, random },
    clock,
    signal,
    onFailure: (namespace, error, retryMs) =>
      logger.error('making an object failed', { namespace, name: options.name, error, retryMs }),
  });
  const ofNamespace = ({ metadata }: { metadata: { namespace?: string | undefined } }): void =>
    queue.add(metadata.namespace ?? '');
  await Promise.all([
    followCollection<Namespace>(context, {
      path: '/api/v1/namespaces',
      signal,
      listener: {
        onListing() {},
        onListed() {},
        onObserved({ metadata, status }) {
          const name = metadata.name ?? '';
          if (status.phase === 'Terminating') active.delete(name);
          else if (!active.has(name)) {
            active.add(name);
            queue.add(name);
          }
        },
        onDeleted: ({ metadata }) => void active.delete(metadata.name ?? ''),
      },
    }),
    followCollection(context, {
      path: `/api/v1/${options.resource}?fieldSelector=metadata.name%3D${encodeURIComponent(options.name)}`,
      signal,
      listener: {
        onListing() {},
        onListed() {},
        onObserved: options.repair === undefined ? () => {} : ofNamespace,
        onDeleted: ofNamespace,
      },
    }),
  ]);
  await queue.ended();
}

async function ensure<T extends object>(
  { client, signal }: ControllerContext,
  namespace: string,
  { resource, name, desired, repair }: EnsureOptions<T>,
): Promise<void> {
  const collection = resourcePath({ group: '', version: 'v1', resource, namespace });
  const path = resourcePath({ group: '', version: 'v1', resource, namespace, name });
  try {
    const current = await client.json<T & { readonly metadata: object }>({ method: 'GET', path, signal });
    const repaired = repair?.(current);
    if (repaired !== undefined) await client.send({ method: 'PUT', path, body: repaired, signal });
    return;
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
  const body = { apiVersion: 'v1', ...desired, metadata: { name, namespace } };
  try {
    await client.send({ method: 'POST', path: collection, body, signal });
  } catch (error) {
    // Somebody else was faster, or the namespace is going.
    if (isReason(error, 'AlreadyExists') || isReason(error, 'NotFound') || isTerminating(error)) return;
    throw error;
  }
}

function isTerminating(error: unknown): boolean {
  if (!isReason(error, 'Forbidden')) return false;
  return (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
}
