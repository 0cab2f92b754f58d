import type { Clock } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { Stores } from '../registry/index.ts';
import { Fairness, FlowControl } from '../server/fairness/index.ts';
import type { ServerMetrics } from '../server/index.ts';
import type { ApiModel } from './api-model.ts';

/** What priority and fairness is made from. */
export interface FairnessSources {
  readonly config: ServeConfig;
  readonly model: Pick<ApiModel, 'dialect' | 'gates'>;
  readonly clock: Clock;
  readonly stores: Pick<Stores, 'stores'>;
  readonly metrics: ServerMetrics;
}

/** A request may wait for a seat as long as this part of its time. Source: release 1.20. */
const waitingPart = 4;

/** Priority and fairness as the flags say; undefined where the limits of requests in flight hold instead. */
export function createFairness({
  config,
  model: { dialect, gates },
  clock,
  stores: { stores },
  metrics,
}: FairnessSources): Fairness | undefined {
  const seats = config.maxRequestsInflight + config.maxMutatingRequestsInflight;
  const isOn = config.enablePriorityAndFairness && gates.has('APIPriorityAndFairness');
  if (!isOn || seats === 0) return undefined;
  const group = dialect.group('flowcontrol.apiserver');
  const nowMs = (): number => clock.nowMs();
  return new Fairness({
    control: new FlowControl({
      storeOf: (resource) => stores.get(`${group}/${resource}`),
      seats,
      nowMs,
      onSeats: (level, count) => metrics.flows.setSeats(level, count),
    }),
    countersOf: (flow) => metrics.flows.countersOf(flow),
    gauges: metrics,
    nowMs,
    maxWaitMs: config.requestTimeoutMs / waitingPart,
    headerNames: {
      schema: dialect.spell('X-Orch-PF-FlowSchema-UID'),
      level: dialect.spell('X-Orch-PF-PriorityLevel-UID'),
    },
  });
}
