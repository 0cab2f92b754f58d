/**
 * Rules of the autoscaling group: autoscalers, and the `Scale` that the scale subresources of other kinds speak.
 */
import { type FieldError, fieldPath } from '../../machinery/errors/index.ts';
import type { KindRulesTable } from '../kind-rules.ts';
import type { Scale } from '../types/autoscaling-v1.ts';
import { validateNonNegative } from '../validation/index.ts';
import { horizontalPodAutoscalerRules } from './horizontal-pod-autoscaler.ts';

/** Rules of the autoscaling group's kinds. */
export const autoscalingRules: KindRulesTable = {
  'autoscaling/v1.HorizontalPodAutoscaler': horizontalPodAutoscalerRules,
};

/** Errors of a `Scale`, beside its metadata. */
export const validateScale = ({ spec }: Scale): FieldError[] =>
  validateNonNegative(spec.replicas ?? 0, fieldPath('spec', 'replicas'));
