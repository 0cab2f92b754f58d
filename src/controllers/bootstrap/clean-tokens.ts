import type { Secret } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { createWorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { followTokens, remainingMs } from './tokens.ts';

const retries = { firstRetryMs: 50, maxRetryMs: 30_000 };
/** Timers cannot be set for any length; a token that lives longer is looked at again. */
const maxTimerMs = 3_600_000;

/** Removes bootstrap tokens once they have expired. */
export const tokenCleaningController: Controller = {
  name: 'tokencleaner',
  async run(context) {
    const { clock, random, signal, logger } = context;
    const add = ({ metadata }: Secret): void => queue.add(metadata.name ?? '');
    const secrets = followTokens(context, { onAdd: add, onUpdate: add });
    const queue = createWorkQueue<string>({
      async work(name) {
        const secret = secrets.get(context.dialect.systemNamespace, name);
        const left = secret && remainingMs(secret, clock.nowMs());
        if (secret === undefined || left === undefined) return;
        if (left <= 0) await remove(context, secret);
        else queue.addAfter(name, Math.min(left, maxTimerMs));
      },
      ...retries,
      metrics: context.queueMetrics,
      random,
      clock,
      signal,
      onError: (error, name) => logger.error('expired bootstrap token was not removed', { name, error }),
    });
    await Promise.all([secrets.done, queue.done]);
  },
};

/** This very secret: one that was made anew under the name may count. */
async function remove({ client, signal }: ControllerContext, { metadata }: Secret): Promise<void> {
  const { namespace, name, uid, resourceVersion } = metadata;
  const path = resourcePath({ group: '', version: 'v1', resource: 'secrets', namespace, name });
  try {
    await client.send({ method: 'DELETE', path, body: { preconditions: { uid, resourceVersion } }, signal });
  } catch (error) {
    if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
  }
}
