import type { Container as ApiContainer, Pod } from '../../apis/types/core-v1.ts';
import { isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { runtimeLabelNames } from '../container-config/index.ts';
import type { Container, PodSandbox } from '../runtime/index.ts';

/** Longest handler that is read from an annotation. */
const handlerMaxLength = 64 * 1024;

/**
 * What can be said of a pod of which only sandboxes and containers are left: who it is, and how its containers are ended
 * properly. Enough to remove it.
 */
export function orphanPod(
  sandboxes: readonly PodSandbox[],
  containers: readonly Container[],
  dialect: Dialect,
): Pod {
  const names = runtimeLabelNames(dialect);
  const labels = (sandboxes[0] ?? containers[0])?.labels ?? {};
  const graces = containers.flatMap(({ annotations }) => {
    const text = annotations[names.podDeletionGracePeriod] ?? annotations[names.podTerminationGracePeriod];
    const seconds = Number(text ?? Number.NaN);
    return Number.isSafeInteger(seconds) && seconds >= 0 ? [seconds] : [];
  });
  const byName = Map.groupBy(containers, ({ metadata }) => metadata.name);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: labels[names.podName] ?? '',
      namespace: labels[names.podNamespace] ?? '',
      uid: labels[names.podUid] ?? '',
    },
    spec: {
      containers: Array.from(byName, ([name, all]) => toContainer(name, all[0], names.preStopHandler)),
      ...(graces.length === 0 ? {} : { terminationGracePeriodSeconds: Math.max(...graces) }),
    },
    status: {},
  };
}

function toContainer(name: string, container: Container | undefined, handlerName: string): ApiContainer {
  const preStop = readHandler(container?.annotations[handlerName]);
  return { name, resources: {}, ...(preStop === undefined ? {} : { lifecycle: { preStop } }) };
}

/** The agent wrote it, but others can write annotations too: a handler of another shape is left out. */
function readHandler(text: string | undefined): object | undefined {
  if (text === undefined || text.length > handlerMaxLength) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
