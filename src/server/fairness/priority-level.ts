import type {
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from '../../apis/types/flowcontrol-apiserver-v1beta1.ts';
import { QueueSet, type QueueSetLimits } from './queue-set.ts';
import { Dealer } from './shuffle-hand.ts';

/** Requests of one priority level: none of them waits where it is exempt. */
export class PriorityLevel {
  readonly name: string;
  readonly uid: string;
  /** Undefined for an exempt level. */
  readonly queues: QueueSet | undefined;
  #spec: PriorityLevelConfigurationSpec;
  #dealer: Dealer | undefined;

  constructor({ metadata, spec }: Pick<PriorityLevelConfiguration, 'metadata' | 'spec'>, nowMs: number) {
    this.name = metadata.name ?? '';
    this.uid = metadata.uid ?? '';
    this.#spec = spec;
    this.queues = spec.type === 'Exempt' ? undefined : new QueueSet({ seats: 0, queuing: undefined });
    this.configure(spec, 0, nowMs);
  }

  /** Whether the same level can go on with another configuration. */
  fits({ metadata, spec }: Pick<PriorityLevelConfiguration, 'metadata' | 'spec'>): boolean {
    return metadata.uid === this.uid && spec.type === this.#spec.type;
  }

  get shares(): number {
    return this.#spec.limited?.assuredConcurrencyShares ?? 0;
  }

  /** The queues that a flow of this level may wait in. */
  handOf(flow: string): readonly number[] {
    return this.#dealer?.handOf(flow) ?? [];
  }

  configure(spec: PriorityLevelConfigurationSpec, seats: number, nowMs: number): void {
    const queuing = queuingOf(spec);
    const before = queuingOf(this.#spec);
    this.#spec = spec;
    if (queuing === undefined) this.#dealer = undefined;
    else if (
      this.#dealer === undefined ||
      before?.queues !== queuing.queues ||
      before.handSize !== queuing.handSize
    ) {
      this.#dealer = new Dealer(queuing.queues, queuing.handSize);
    }
    this.queues?.setLimits({ seats, queuing: queuing && limitsOf(queuing) }, nowMs);
  }
}

type Queuing = NonNullable<
  NonNullable<PriorityLevelConfigurationSpec['limited']>['limitResponse']['queuing']
>;

function queuingOf({ limited }: PriorityLevelConfigurationSpec): Queuing | undefined {
  return limited?.limitResponse.type === 'Queue' ? limited.limitResponse.queuing : undefined;
}

const limitsOf = ({ queues, queueLengthLimit }: Queuing): QueueSetLimits['queuing'] => ({
  queues,
  queueLength: queueLengthLimit,
});
