import { wasGivenEmpty } from '../../../machinery/schema/index.ts';
import type { HorizontalPodAutoscaler } from '../../types/autoscaling-v1.ts';
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV2 } from '../../types/autoscaling-v2beta2.ts';
import type { DefaultContext } from '../default-rule.ts';

const defaultCpuPercent = 80;

/** Without any metric, also none of a later version kept in the annotation, processor use is the metric. */
export function cpuTarget(scaler: HorizontalPodAutoscaler, { dialect }: DefaultContext): void {
  const { spec, metadata } = scaler;
  if (spec.targetCPUUtilizationPercentage !== undefined) return;
  const kept = metadata.annotations?.[dialect.spell('autoscaling.alpha.orch.io/metrics')];
  if (kept === undefined || countItems(kept) === 0) spec.targetCPUUtilizationPercentage = defaultCpuPercent;
}

function countItems(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.length : 0;
  } catch {
    // Release 1.20 ignores an annotation that it cannot read.
    return 0;
  }
}

/** A given behavior is completed: up at once by 4 pods or double, down by any amount, each in 15 s steps. */
export function scalingBehavior({ spec }: HorizontalPodAutoscalerV2): void {
  const { behavior } = spec;
  if (behavior === undefined) return;
  // An empty list of policies is no choice of the default ones; it is refused.
  const { scaleUp = {}, scaleDown = {} } = behavior;
  behavior.scaleUp = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: wasGivenEmpty(scaleUp, 'policies')
      ? []
      : [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
    ...scaleUp,
  };
  behavior.scaleDown = {
    selectPolicy: 'Max',
    policies: wasGivenEmpty(scaleDown, 'policies')
      ? []
      : [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    ...scaleDown,
  };
}
