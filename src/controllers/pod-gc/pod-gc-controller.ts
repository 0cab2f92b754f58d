import { pause } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { decideGarbage } from './decide.ts';

const periodMs = 20_000;
/** A node that is registered again in this time keeps its pods. */
const quarantineMs = 40_000;

/** Deletes pods that nobody else will: too many that have ended, and those whose node is gone or never was. */
export const podGarbageController: Controller = {
  name: 'podgc',
  async run(context) {
    const { informers, clock, signal, settings } = context;
    const pods = informers.pods();
    const nodes = informers.nodes();
    await Promise.all([pods.whenSynced, nodes.whenSynced]);
    const missingSinceMs = new Map<string, number>();
    do {
      const names = new Set(pods.list().flatMap(({ spec }) => spec.nodeName || []));
      for (const name of missingSinceMs.keys()) if (!names.has(name)) missingSinceMs.delete(name);
      const lostNodes = new Set<string>();
      for (const name of names) {
        if (nodes.get('', name) !== undefined) {
          missingSinceMs.delete(name);
          continue;
        }
        const sinceMs = missingSinceMs.get(name) ?? clock.nowMs();
        missingSinceMs.set(name, sinceMs);
        if (clock.nowMs() - sinceMs >= quarantineMs && (await isGone(context, name))) lostNodes.add(name);
      }
      const threshold = settings.terminatedPodGcThreshold;
      for (const { metadata } of decideGarbage({ pods: pods.list(), threshold, lostNodes })) {
        await remove(context, metadata.namespace ?? '', metadata.name ?? '');
      }
    } while (await pause(clock, periodMs, signal));
  },
};

/** Caches may lag: the server is asked before pods of a node are deleted. */
async function isGone({ client, signal, logger }: ControllerContext, name: string): Promise<boolean> {
  try {
    const path = resourcePath({ group: '', version: 'v1', resource: 'nodes', name });
    await client.send({ method: 'GET', path, signal });
    return false;
  } catch (error) {
    if (isReason(error, 'NotFound')) return true;
    if (!signal.aborted) logger.error('node lookup failed', { name, error });
    return false;
  }
}

async function remove(
  { client, signal, logger }: ControllerContext,
  namespace: string,
  name: string,
): Promise<void> {
  try {
    const path = resourcePath({ group: '', version: 'v1', resource: 'pods', namespace, name });
    await client.send({ method: 'DELETE', path, body: { gracePeriodSeconds: 0 }, signal });
  } catch (error) {
    // The next round finds what is left.
    if (!isReason(error, 'NotFound') && !signal.aborted)
      logger.error('pod deletion failed', { namespace, name, error });
  }
}
