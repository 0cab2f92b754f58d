import type { Namespace } from '../../apis/types/core-v1.ts';
import { startInformer } from '../../client/informer/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { createWorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { followOptions } from '../follow-options.ts';
import { nextConditions } from './conditions.ts';
import { type ContentReport, isEmpty } from './content-report.ts';
import { deleteContent } from './delete-content.ts';

const concurrency = 10;
/** The first retry comes soon: most content that is left over goes within milliseconds. */
const retries = { firstRetryMs: 100, maxRetryMs: 10_000 };
const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

/** Content is left; the namespace is looked at again later. */
class ContentRemains extends Error {
  override readonly name = 'ContentRemains';
}

/** A deletion under way. A later namespace of the same name has another uid. */
interface Deletion {
  readonly uid: string;
  /** When it was first seen: nothing new can be made since, so what was served then is all that can be there. */
  readonly sinceMs: number;
}

/**
 * The namespace controller: deletes what a namespace under deletion holds, then lets the namespace go. It does not
 * make namespaces, and knows resources only from discovery.
 */
export const namespaceController: Controller = {
  name: 'namespace',
  async run(context) {
    const { clock, random, signal, logger, settings } = context;
    const deletions = new Map<string, Deletion>();
    const queue = createWorkQueue<string>({
      work: (name) => emptyNamespace(context, name, deletions.get(name)?.sinceMs ?? clock.nowMs()),
      concurrency,
      ...retries,
      metrics: context.queueMetrics,
      random,
      clock,
      signal,
      onError(error, name) {
        if (signal.aborted) return;
        // What is left and lost races are ordinary; the namespace comes again.
        if (error instanceof ContentRemains || isReason(error, 'Conflict')) {
          logger.debug('namespace deletion waits for remaining content', { name });
        } else logger.error('namespace deletion failed', { name, error });
      },
    });
    const observe = (namespace: Namespace): void => {
      const { name = '', uid = '' } = namespace.metadata;
      if (!isWaitingForUs(namespace, context) || deletions.get(name)?.uid === uid) return;
      deletions.set(name, { uid, sinceMs: clock.nowMs() });
      queue.addAfter(name, settings.namespaceDeletionDelayMs);
    };
    const informer = startInformer<Namespace>({
      ...followOptions(context),
      resource: namespaces,
      onAdd: observe,
      onUpdate: observe,
      onDelete: ({ metadata }) => void deletions.delete(metadata.name ?? ''),
    });
    await Promise.all([informer.done, queue.done]);
  },
};

function isWaitingForUs({ metadata, spec }: Namespace, { dialect }: ControllerContext): boolean {
  return Boolean(metadata.deletionTimestamp) && (spec.finalizers ?? []).includes(dialect.spell('orch'));
}

async function emptyNamespace(context: ControllerContext, name: string, sinceMs: number): Promise<void> {
  const namespace = await readNamespace(context, name);
  if (namespace === undefined || !isWaitingForUs(namespace, context)) return;
  const report = await deleteContent({ ...context, namespace: name, sinceMs });
  const current = await writeConditions(context, namespace, report);
  if (!isEmpty(report)) throw new ContentRemains(`namespace ${name} is not empty`);
  await finalize(context, current);
}

async function readNamespace(
  { client, signal }: ControllerContext,
  name: string,
): Promise<Namespace | undefined> {
  try {
    return await client.json<Namespace>({
      method: 'GET',
      path: resourcePath({ ...namespaces, name }),
      signal,
    });
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function writeConditions(
  { client, clock, dialect, signal }: ControllerContext,
  namespace: Namespace,
  report: ContentReport,
): Promise<Namespace> {
  const { name } = namespace.metadata;
  const now = `${new Date(clock.nowMs()).toISOString().slice(0, 19)}Z`;
  const spell = (text: string): string => dialect.spell(text);
  const conditions = nextConditions(namespace.status.conditions ?? [], report, { now, spell });
  if (conditions === undefined) return namespace;
  const body = { ...namespace, status: { ...namespace.status, conditions } };
  const path = resourcePath({ ...namespaces, name, subresource: 'status' });
  return client.json<Namespace>({ method: 'PUT', path, body, signal });
}

/** Takes our finalizer away; without another one the server removes the namespace then. */
async function finalize({ client, dialect, signal }: ControllerContext, namespace: Namespace): Promise<void> {
  const ours = dialect.spell('orch');
  const finalizers = (namespace.spec.finalizers ?? []).filter((name) => name !== ours);
  const body = { ...namespace, spec: { ...namespace.spec, finalizers } };
  const path = resourcePath({ ...namespaces, name: namespace.metadata.name, subresource: 'finalize' });
  try {
    await client.send({ method: 'PUT', path, body, signal });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
