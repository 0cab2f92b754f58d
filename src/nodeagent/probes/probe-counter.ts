import type { Pod } from '../../apis/types/core-v1.ts';
import type { ProbeMetricSink } from './contract.ts';
import { type ProbeState, type ProbeType, probeTitles } from './probe-type.ts';

const name = 'prober_probe_total';
const help = 'Cumulative number of a liveness, readiness or startup probe for a container by result.';
/** Sorted, as release 1.20 shows them. */
const labels = ['container', 'namespace', 'pod', 'pod_uid', 'probe_type', 'result'] as const;
const resultTexts: Readonly<Record<ProbeState, string>> = {
  success: 'successful',
  failure: 'failed',
  unknown: 'unknown',
};

/** One probe that was run. */
export interface CountedProbe {
  readonly type: ProbeType;
  readonly result: ProbeState;
  readonly pod: Pod;
  readonly containerName: string;
}

/** Counts probes for `/metrics/probes`. */
export interface ProbeCounter {
  count(probe: CountedProbe): void;
  /** Shows nothing of the pod any more. */
  forget(podUid: string): void;
}

/** A counter that fills the registry. */
export function countProbes(metrics: ProbeMetricSink): ProbeCounter {
  metrics.define(name, { type: 'counter', help, labels });
  const shown = new Map<string, Map<string, readonly string[]>>();
  return {
    count({ type, result, pod, containerName }) {
      const { name: podName = '', namespace = '', uid = '' } = pod.metadata;
      const values = [containerName, namespace, podName, uid, probeTitles[type], resultTexts[result]];
      const ofPod = shown.get(uid) ?? new Map<string, readonly string[]>();
      shown.set(uid, ofPod.set(`${containerName} ${type} ${result}`, values));
      metrics.add(name, 1, values);
    },
    forget(podUid) {
      for (const values of shown.get(podUid)?.values() ?? []) metrics.clear(name, values);
      shown.delete(podUid);
    },
  };
}
