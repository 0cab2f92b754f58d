import type { CertificateSigningRequest } from '../../apis/types/certificates-v1.ts';
import { startInformer } from '../../client/informer/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { createWorkQueue } from '../../client/work-queue/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import { followOptions } from '../follow-options.ts';

const concurrency = 5;
const retries = { firstRetryMs: 200, maxRetryMs: 1_000_000 };

const resourceOf = (dialect: Dialect) => ({
  group: dialect.group('certificates'),
  version: 'v1',
  resource: 'certificatesigningrequests',
});

/**
 * Calls `handle` for each signing request whenever it is new or changed, a few at a time, and again later when that
 * fails. Runs until the signal aborts.
 */
export async function followRequests(
  context: ControllerContext,
  handle: (request: CertificateSigningRequest) => Promise<void>,
): Promise<void> {
  const { clock, random, signal, logger, dialect } = context;
  const add = ({ metadata }: CertificateSigningRequest): void => queue.add(metadata.name ?? '');
  const requests = startInformer<CertificateSigningRequest>({
    ...followOptions(context),
    resource: resourceOf(dialect),
    onAdd: add,
    onUpdate: add,
  });
  const queue = createWorkQueue<string>({
    async work(name) {
      const request = requests.get('', name);
      if (request !== undefined) await handle(request);
    },
    concurrency,
    ...retries,
    metrics: context.queueMetrics,
    random,
    clock,
    signal,
    onError(error, name) {
      // Who changed it makes it come again.
      if (isReason(error, 'Conflict')) logger.debug('certificate request changed meanwhile', { name });
      else logger.error('certificate request was not handled', { name, error });
    },
  });
  await Promise.all([requests.done, queue.done]);
}

/** All signing requests as they are. */
export async function listRequests({
  client,
  dialect,
  signal,
}: ControllerContext): Promise<readonly CertificateSigningRequest[]> {
  const path = resourcePath(resourceOf(dialect));
  const list = await client.json<{ readonly items: readonly CertificateSigningRequest[] }>({
    method: 'GET',
    path,
    signal,
  });
  return list.items;
}

/** Removes a request, unless it is another one of that name by now. */
export async function deleteRequest(
  { client, dialect, signal }: ControllerContext,
  { metadata: { name, uid } }: CertificateSigningRequest,
): Promise<void> {
  const path = resourcePath({ ...resourceOf(dialect), name });
  try {
    await client.send({ method: 'DELETE', path, body: { preconditions: { uid } }, signal });
  } catch (error) {
    // Somebody else was faster.
    if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
  }
}

/** Writes a request by the way that changes such parts. One that is gone is not missed. */
export async function writeRequest(
  { client, dialect, signal }: ControllerContext,
  subresource: 'approval' | 'status',
  request: CertificateSigningRequest,
): Promise<void> {
  const path = resourcePath({ ...resourceOf(dialect), name: request.metadata.name, subresource });
  try {
    await client.send({ method: 'PUT', path, body: request, signal });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
