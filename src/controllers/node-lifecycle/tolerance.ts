import { tolerates } from '../../apis/core/index.ts';
import type { Taint, Toleration } from '../../apis/types/core-v1.ts';

/** The taints of a node that evict pods. */
export const evictingTaints = (taints: readonly Taint[] | undefined): Taint[] =>
  (taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/**
 * How long a pod may stay beside these taints, in milliseconds: 0 when it must go now, Infinity when it need not go. Pure. Of several
 * tolerations that cover a taint the first counts. Source: release 1.20, `getMinTolerationTime`.
 */
export function toleratedForMs(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const toleration = tolerations.find((each) => tolerates(each, taint));
    if (toleration === undefined) return 0;
    const { tolerationSeconds } = toleration;
    if (tolerationSeconds === undefined || tolerationSeconds === null) continue;
    leastMs = Math.min(leastMs, Math.max(0, tolerationSeconds * 1000));
  }
  return leastMs;
}
