import type { Namespace } from '../apis/types/core-v1.ts';
import { startInformer } from '../client/informer/index.ts';
import { resourcePath } from '../client/rest/index.ts';
import { createWorkQueue } from '../client/work-queue/index.ts';
import { isReason } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import type { ControllerContext } from './controller.ts';
import { followOptions } from './follow-options.ts';

const concurrency = 5;
const retries = { firstRetryMs: 50, maxRetryMs: 30_000 };

export interface EnsureOptions<T> {
  /** The resource of the core group that the object is of. */
  readonly resource: string;
  /** Name of the one object that every namespace shall have. */
  readonly name: string;
  /** The object as it is made now. */
  readonly desired: () => { readonly kind: string } & T;
  /** The object to write in place of one that is there; undefined when that will do. */
  readonly repair?: ((current: T & { readonly metadata: object }) => unknown) | undefined;
  /** Has a listener told when `desired` and `repair` say something else than before. */
  readonly onChange?: ((listener: () => void) => () => void) | undefined;
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
  const { resource, name, repair } = options;
  const isActive = ({ status }: Namespace): boolean => status.phase !== 'Terminating';
  const namespaces = startInformer<Namespace>({
    ...followOptions(context),
    resource: { group: '', version: 'v1', resource: 'namespaces' },
    onAdd: (namespace) => {
      if (isActive(namespace)) queue.add(namespace.metadata.name ?? '');
    },
  });
  const queue = createWorkQueue<string>({
    async work(namespace) {
      const found = namespaces.get('', namespace);
      if (found !== undefined && isActive(found)) await ensure(context, namespace, options);
    },
    concurrency,
    ...retries,
    metrics: context.queueMetrics,
    random,
    clock,
    signal,
    onError: (error, namespace) => logger.error('default object creation failed', { namespace, name, error }),
  });
  const addNamespace = ({ metadata }: ApiObject): void => queue.add(metadata.namespace ?? '');
  const objects = startInformer({
    ...followOptions(context),
    resource: { group: '', version: 'v1', resource },
    fieldSelector: `metadata.name=${name}`,
    ...(repair === undefined ? {} : { onAdd: addNamespace, onUpdate: addNamespace }),
    onDelete: addNamespace,
  });
  const unfollow = options.onChange?.(() => {
    for (const { metadata } of namespaces.list()) queue.add(metadata.name ?? '');
  });
  await Promise.all([namespaces.done, objects.done, queue.done]);
  unfollow?.();
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
  const body = { apiVersion: 'v1', ...desired(), metadata: { name, namespace } };
  try {
    await client.send({ method: 'POST', path: collection, body, signal });
  } catch (error) {
    // Somebody else was faster, or the namespace is going.
    if (isReason(error, 'AlreadyExists') || isReason(error, 'NotFound') || isNamespaceTerminating(error))
      return;
    throw error;
  }
}

/** Whether a write was refused because its namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!isReason(error, 'Forbidden')) return false;
  return (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
}
