import type { Toleration } from '../../../apis/types/core-v1.ts';

/**
 * Both lists as one, in their order, without tolerations that another one of them includes. Nothing given is changed.
 * Source: release 1.20, `util/tolerations`.
 */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [at, toleration] of all.entries()) {
    if (merged.some((kept) => includesToleration(kept, toleration))) continue;
    // Of two equal ones the first stays.
    const isIncludedLater = all
      .slice(at + 1)
      .some((later) => !isSame(later, toleration) && includesToleration(later, toleration));
    if (!isIncludedLater) merged.push(toleration);
  }
  return merged;
}

/** True when two tolerations say the same in the same words. */
export function isSame(a: Toleration, b: Toleration): boolean {
  return (
    (a.key ?? '') === (b.key ?? '') &&
    (a.operator ?? '') === (b.operator ?? '') &&
    (a.value ?? '') === (b.value ?? '') &&
    (a.effect ?? '') === (b.effect ?? '') &&
    (a.tolerationSeconds ?? undefined) === (b.tolerationSeconds ?? undefined)
  );
}

/** True when `wide` tolerates all that `narrow` does. */
export function includesToleration(wide: Toleration, narrow: Toleration): boolean {
  if (isSame(wide, narrow)) return true;
  const anyKey = !wide.key && wide.operator === 'Exists';
  if ((wide.key ?? '') !== (narrow.key ?? '') && !anyKey) return false;
  if (wide.effect && wide.effect !== narrow.effect) return false;
  if (wide.effect === 'NoExecute' && typeof wide.tolerationSeconds === 'number') {
    const { tolerationSeconds } = narrow;
    if (typeof tolerationSeconds !== 'number' || tolerationSeconds > wide.tolerationSeconds) return false;
  }
  if (wide.operator === 'Exists') return true;
  if (wide.operator && wide.operator !== 'Equal') return false;
  return narrow.operator === 'Equal' && (narrow.value ?? '') === (wide.value ?? '');
}
