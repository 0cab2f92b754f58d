import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { HorizontalPodAutoscaler } from '../types/autoscaling-v1.ts';
import { nameIsDnsSubdomain, validateNonNegative } from '../validation/index.ts';
import { validateMetric, validateTargetRef } from './metric-validation.ts';
import {
  dropContainerMetrics,
  readExtras,
  restoreExtras,
  type ScalingRules,
  showOverOld,
  specExtras,
  statusExtras,
} from './metrics.ts';

const specPath = fieldPath('spec');
const maxWindowSeconds = 3600;
const maxPeriodSeconds = 1800;

/** Autoscalers. The stored version keeps newer fields in annotations; errors name them as the newest version does. */
export const horizontalPodAutoscalerRules: KindRules<HorizontalPodAutoscaler> = {
  hasStatus: true,
  validateName: nameIsDnsSubdomain,
  prepareForCreate(autoscaler, context) {
    const { dialect } = context;
    dropContainerMetrics(autoscaler, undefined, context);
    autoscaler.status = { currentReplicas: 0, desiredReplicas: 0 };
    restoreExtras(autoscaler, undefined, statusExtras, dialect);
  },
  prepareForUpdate(autoscaler, old, context) {
    const { dialect } = context;
    dropContainerMetrics(autoscaler, old, context);
    autoscaler.status = old.status;
    restoreExtras(autoscaler, old, statusExtras, dialect);
  },
  validate: (autoscaler, context) => validateAutoscaler(autoscaler, context, undefined),
  validateUpdate: (autoscaler, old, context) => validateAutoscaler(autoscaler, context, old),
  showOverOld: (autoscaler, old, { dialect }) => showOverOld(autoscaler, old, dialect),
  status: {
    prepareForUpdate(autoscaler, old, { dialect }) {
      autoscaler.spec = old.spec;
      restoreExtras(autoscaler, old, specExtras, dialect);
    },
    validateUpdate: ({ status }) => [
      ...validateNonNegative(status.currentReplicas, fieldPath('status', 'currentReplicas')),
      ...validateNonNegative(status.desiredReplicas, fieldPath('status', 'desiredReplicas')),
    ],
  },
};

function validateAutoscaler(
  autoscaler: HorizontalPodAutoscaler,
  context: RuleContext,
  old: HorizontalPodAutoscaler | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const { minReplicas, maxReplicas, scaleTargetRef } = autoscaler.spec;
  // Zero needs the gate; one that is at zero already may stay there.
  const least = context.gates.has('HPAScaleToZero') || old?.spec.minReplicas === 0 ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < least) {
    const detail = `must be greater than or equal to ${least}`;
    errors.push(invalidValue(specPath.child('minReplicas'), minReplicas, detail));
  }
  const maxPath = specPath.child('maxReplicas');
  if (maxReplicas < 1) errors.push(invalidValue(maxPath, maxReplicas, 'must be greater than 0'));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(invalidValue(maxPath, maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  validateTargetRef(errors, scaleTargetRef, specPath.child('scaleTargetRef'));
  const { metrics, scaleUp, scaleDown } = readExtras(autoscaler, context.dialect);
  const metricsPath = specPath.child('metrics');
  for (const [at, metric] of metrics.entries()) {
    validateMetric(errors, metric, metricsPath.index(at), context);
  }
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbiddenField(metricsPath, detail));
  }
  const behaviorPath = specPath.child('behavior');
  if (scaleUp !== undefined) validateScaling(errors, scaleUp, behaviorPath.child('scaleUp'));
  if (scaleDown !== undefined) validateScaling(errors, scaleDown, behaviorPath.child('scaleDown'));
  return errors;
}

function validateScaling(errors: FieldError[], rules: ScalingRules, path: FieldPath): void {
  const seconds = rules.stabilizationWindowSeconds ?? 0;
  const windowPath = path.child('stabilizationWindowSeconds');
  if (seconds < 0) errors.push(invalidValue(windowPath, seconds, 'must be greater than or equal to zero'));
  if (seconds > maxWindowSeconds) {
    errors.push(invalidValue(windowPath, seconds, `must be less than or equal to ${maxWindowSeconds}`));
  }
  const selections = ['Disabled', 'Max', 'Min'];
  const { selectPolicy } = rules;
  if (typeof selectPolicy === 'string' && !selections.includes(selectPolicy)) {
    errors.push(notSupported(path.child('selectPolicy'), selectPolicy, selections));
  }
  const policies = rules.policies ?? [];
  const policiesPath = path.child('policies');
  if (policies.length === 0) errors.push(required(policiesPath, 'must specify at least one Policy'));
  for (const [at, { type, value, periodSeconds }] of policies.entries()) {
    const at1 = policiesPath.index(at);
    const types = ['Percent', 'Pods'];
    if (!types.includes(type)) errors.push(notSupported(at1.child('type'), type, types));
    if (value <= 0) errors.push(invalidValue(at1.child('value'), value, 'must be greater than zero'));
    const periodPath = at1.child('periodSeconds');
    if (periodSeconds <= 0) {
      errors.push(invalidValue(periodPath, periodSeconds, 'must be greater than zero'));
    }
    if (periodSeconds > maxPeriodSeconds) {
      const detail = `must be less than or equal to ${maxPeriodSeconds}`;
      errors.push(invalidValue(periodPath, periodSeconds, detail));
    }
  }
}
