const firstMs = 1_000;
const maxMs = 15 * 60_000;

interface Failure {
  readonly pauseMs: number;
  readonly atMs: number;
}

interface SetFailures {
  readonly generation: number;
  readonly byNode: Map<string, Failure>;
}

/**
 * How long failed pods stay before they are replaced: longer each time in a row, per node. What a set asks for anew is tried at once.
 * Source: release 1.20, `failedPodsBackoff`.
 */
export class FailurePauses {
  readonly #bySet = new Map<string, SetFailures>();

  /** How long the next failed pod of a node must stay, in milliseconds; 0 or less when it may go now. */
  remainingMs(set: string, generation: number, { node, nowMs }: FailurePlace): number {
    const failure = this.#failuresOf(set, generation).get(node);
    return failure === undefined ? 0 : failure.atMs + failure.pauseMs - nowMs;
  }

  /** A failed pod was taken from the node. */
  failed(set: string, generation: number, { node, nowMs }: FailurePlace): void {
    const failures = this.#failuresOf(set, generation);
    const before = failures.get(node);
    const isInRow = before !== undefined && nowMs - before.atMs <= 2 * maxMs;
    const pauseMs = isInRow ? Math.min(before.pauseMs * 2, maxMs) : firstMs;
    failures.set(node, { pauseMs, atMs: nowMs });
  }

  /** The set is gone. */
  forget(set: string): void {
    this.#bySet.delete(set);
  }

  #failuresOf(set: string, generation: number): Map<string, Failure> {
    let failures = this.#bySet.get(set);
    if (failures?.generation !== generation) {
      failures = { generation, byNode: new Map() };
      this.#bySet.set(set, failures);
    }
    return failures.byNode;
  }
}

interface FailurePlace {
  readonly node: string;
  readonly nowMs: number;
}
