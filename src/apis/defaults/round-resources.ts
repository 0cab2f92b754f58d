import { roundQuantityText } from '../../machinery/values/index.ts';

const milliScale = -3;

/**
 * Rounds every amount that is finer than a thousandth away from zero to the next thousandth, in place. Amounts
 * are in canonical text, where only `n`, `u` and negative exponents are that fine. Other values are left alone.
 */
export function roundResources(resources: unknown): void {
  if (typeof resources !== 'object' || resources === null) return;
  // A canonical resource list maps names to texts.
  const amounts = resources as Record<string, unknown>;
  for (const name in amounts) {
    const amount = amounts[name];
    if (typeof amount === 'string' && isMaybeFine(amount)) {
      amounts[name] = roundQuantityText(amount, milliScale);
    }
  }
}

function isMaybeFine(amount: string): boolean {
  const last = amount.charCodeAt(amount.length - 1);
  return last === 110 /* n */ || last === 117 /* u */ || amount.includes('e-');
}
