import type { Taint, Toleration } from '../types/core-v1.ts';

/** Whether a toleration covers a taint. Source: release 1.20, `Toleration.ToleratesTaint`. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key, operator, value = '', effect } = toleration;
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (!operator || operator === 'Equal') && value === (taint.value ?? '');
}

/** The first taint of one of these effects that no toleration covers. */
export function untoleratedTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  effects: readonly string[],
): Taint | undefined {
  return taints.find(
    (taint) =>
      effects.includes(taint.effect) && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}
