/** What one evaluation may cost. A step is a name, a field, a call or a round of a loop: about 100 ns, so that none takes 10 ms. */
export const maxExpressionCost = 50_000;

/** Beginning and ending an expression takes as long as so many steps. */
const stepsOfStart = 10;

/** An expression took more steps than it may: nothing of its value is known. */
export class CostExceeded extends Error {
  override readonly name = 'CostExceeded';

  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/**
 * Counts what expressions cost: each of them may take `maxExpressionCost` steps, and all that share a meter its budget. Steps are
 * the same on every machine, so that what is refused once is refused always.
 */
export class Meter {
  #left = 0;
  #depth = 0;
  #budget: number;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** An expression begins; one within another shares its steps. */
  begin(): void {
    if (this.#depth++ > 0) return;
    this.#left = Math.min(maxExpressionCost, this.#budget);
    this.#budget -= this.#left;
    this.#left -= stepsOfStart;
  }

  /** It is over: what it did not use is left to others. */
  end(): void {
    if (--this.#depth > 0) return;
    this.#budget += Math.max(this.#left, 0);
    this.#left = 0;
  }

  /** @throws CostExceeded */
  charge(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new CostExceeded();
  }

  /** Steps that are left to all expressions, while none runs. */
  get budget(): number {
    return this.#budget;
  }

  /** Gives back what was spent since there were so many left, for expressions that are evaluated again. */
  restore(budget: number): void {
    this.#budget = budget;
  }

  /** Whether nothing is left for any expression. */
  get isSpent(): boolean {
    return this.#budget <= 0;
  }
}
