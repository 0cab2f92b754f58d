import { createHash } from 'node:crypto';
import type {
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from '../../apis/types/flowcontrol-apiserver-v1beta1.ts';
import { QueueSet, type QueueSetLimits } from './queue-set.ts';

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

/**
 * The queues that a flow may wait in: `handSize` of `queues`, dealt by the flow's hash, so that few other flows have the
 * same (apiserver, `shufflesharding`).
 */
export function dealHand(flow: string, queues: number, handSize: number): readonly number[] {
  let rest = createHash('sha256').update(flow).digest().readBigUInt64LE();
  const hand: number[] = [];
  for (let dealt = 0; dealt < Math.min(handSize, queues); dealt++) {
    const left = BigInt(queues - dealt);
    let card = Number(rest % left);
    rest /= left;
    // A card counts among those that are left: it moves behind each lower one that was dealt.
    for (const other of [...hand].sort((first, second) => first - second)) if (card >= other) card++;
    hand.push(card);
  }
  return hand;
}

/** Flows whose hands are remembered; the oldest is forgotten. */
const maxHands = 10_000;

/** Deals hands, and remembers them. */
export class Dealer {
  readonly #queues: number;
  readonly #handSize: number;
  readonly #hands = new Map<string, readonly number[]>();

  constructor(queues: number, handSize: number) {
    this.#queues = queues;
    this.#handSize = handSize;
  }

  handOf(flow: string): readonly number[] {
    const known = this.#hands.get(flow);
    if (known !== undefined) return known;
    const hand = dealHand(flow, this.#queues, this.#handSize);
    const [oldest] = this.#hands.keys();
    if (this.#hands.size >= maxHands && oldest !== undefined) this.#hands.delete(oldest);
    this.#hands.set(flow, hand);
    return hand;
  }
}
