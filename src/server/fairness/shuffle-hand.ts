import { createHash } from 'node:crypto';

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
