import { asJsonObject, asText, errorText } from '../../base/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';
import { type ObjectQuery, readObjects } from '../resource/read-objects.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import type { Facts } from './finding.ts';

const podsAndClaims = ['pods', 'persistentvolumeclaims'];

/** What is listed in the namespace of an object beside its events. Secrets are never read. */
const neighbours: Readonly<Record<string, readonly string[]>> = {
  'pods.': ['persistentvolumeclaims', 'poddisruptionbudgets.policy'],
  'deployments.apps': ['replicasets.apps', ...podsAndClaims],
  'replicasets.apps': podsAndClaims,
  'statefulsets.apps': podsAndClaims,
  'replicationcontrollers.': podsAndClaims,
  'daemonsets.apps': podsAndClaims,
  'jobs.batch': podsAndClaims,
  'cronjobs.batch': ['jobs.batch', ...podsAndClaims],
  'services.': podsAndClaims,
  'persistentvolumeclaims.': ['pods'],
};

/** Most nodes that are looked at for pods that are not ready. */
const maxNodes = 10;

/** Reads what is needed to explain an object, side by side. What may not be read is told of in the facts. */
export async function gatherFacts(ctl: Ctl, { resource, object, namespace }: LiveTarget): Promise<Facts> {
  const type = ctl.dialect.unspell(`${resource.name}.${resource.group}`);
  const unread: { type: string; message: string }[] = [];
  const read = async (name: string, query: ObjectQuery): Promise<readonly WireObject[]> => {
    try {
      return await readObjects(ctl, name, query);
    } catch (error) {
      ctl.io.signal.throwIfAborted();
      if (!(error instanceof StatusError) && !(error instanceof CtlError)) throw error;
      unread.push({ type: name, message: errorText(error) });
      return [];
    }
  };
  const name = object.metadata.name ?? '';
  // Pods have many events around them; what is in no namespace has its events in any.
  const fieldSelector =
    namespace === '' ? `involvedObject.kind=${object.kind},involvedObject.name=${name}` : undefined;
  const [events, ...lists] = await Promise.all([
    read('events', { namespace, fieldSelector }),
    ...(neighbours[type] ?? []).map((neighbour) => read(neighbour, { namespace })),
  ]);
  const related = lists.flat();
  const nodes = nodesOf([object, ...related]).map((node) =>
    read('nodes', { namespace: '', fieldSelector: `metadata.name=${node}` }),
  );
  return {
    object,
    type,
    related: [...related, ...(await Promise.all(nodes)).flat()],
    events,
    unread: unread.filter((one, index) => unread.findIndex((other) => other.type === one.type) === index),
    nowMs: ctl.io.clock.nowMs(),
  };
}

/** Names of the nodes that pods which have not ended and are not ready are on. */
function nodesOf(objects: readonly WireObject[]): readonly string[] {
  const names = objects
    .filter(({ kind, status }) => {
      const { phase, conditions } = asJsonObject(status);
      const isReady =
        Array.isArray(conditions) &&
        conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
      return kind === 'Pod' && phase !== 'Succeeded' && !isReady;
    })
    .map(({ spec }) => asText(asJsonObject(spec).nodeName))
    .filter(Boolean);
  return [...new Set(names)].slice(0, maxNodes);
}
