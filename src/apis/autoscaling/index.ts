/**
 * Rules of the autoscaling group: autoscalers, and the `Scale` that the scale subresources of other kinds speak.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { horizontalPodAutoscalerRules } from './horizontal-pod-autoscaler.ts';

export { validateScale } from './scale.ts';

/** Rules of the autoscaling group's kinds. */
export const autoscalingRules: KindRulesTable = {
  'autoscaling/v1.HorizontalPodAutoscaler': horizontalPodAutoscalerRules,
};
