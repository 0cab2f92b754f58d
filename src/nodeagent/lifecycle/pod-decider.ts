import type { Clock } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { runtimeLabelNames } from '../container-config/index.ts';
import type { Prober } from '../probes/index.ts';
import { decidePod, type PodDecision } from '../sync/decide-pod.ts';
import { type RuntimeView, toObservedPod } from '../sync/observe-pod.ts';
import type { PodBlock } from '../sync/pod-input.ts';
import type { ObservedPod } from '../sync/pod-state.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodRecord } from './pod-record.ts';

/** What decisions are made from beside the pod and what the runtime has of it. */
export interface PodDeciderOptions {
  readonly prober: Pick<Prober, 'results'>;
  readonly nodeInfo: () => Pick<NodeInfo, 'hostIps'>;
  /** Statuses have the node's address only then. */
  readonly hasApiServer: boolean;
  /** Leads the ids of containers in statuses, such as `containerd`. */
  readonly runtimeName: () => string;
  readonly dialect: Dialect;
  readonly clock: Clock;
}

/** What is different from one decision to the next. */
export interface DecisionInput {
  readonly record: PodRecord;
  readonly view: RuntimeView;
  readonly starting: ReadonlyMap<string, number>;
  readonly block: PodBlock | undefined;
  readonly runsEphemeral: boolean | undefined;
}

/** Asks `sync` what a pod needs, with all that the agent knows. */
export class PodDecider {
  readonly #options: PodDeciderOptions;
  readonly #hashAnnotation: string;

  constructor(options: PodDeciderOptions) {
    this.#options = options;
    this.#hashAnnotation = runtimeLabelNames(options.dialect).hash;
  }

  decide({ record, ...input }: DecisionInput): PodDecision {
    const { prober, clock, runtimeName, nodeInfo, hasApiServer } = this.#options;
    return decidePod({
      ...input,
      pod: record.pod,
      memory: record.memory,
      verdict: record.verdict,
      nowMs: clock.nowMs(),
      hashAnnotation: this.#hashAnnotation,
      probesOf: (id) => prober.results(id),
      runtimeName: runtimeName(),
      hostIp: hasApiServer ? nodeInfo().hostIps[0] : undefined,
    });
  }

  /** What the runtime has of a pod, for plans that need no probes. */
  observe(view: RuntimeView): ObservedPod {
    return toObservedPod(view, { hashAnnotation: this.#hashAnnotation, healthOf: () => 'fine' });
  }
}
