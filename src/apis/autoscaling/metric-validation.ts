import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import { parseQuantity, quantitySign } from '../../machinery/values/index.ts';
import { reportInvalid } from '../reporting.ts';
import type { CrossVersionObjectReference, MetricSpec } from '../types/autoscaling-v1.ts';
import { goQuantity, isPathSegmentName, validateLabelSelector } from '../validation/index.ts';

const sources = [
  ['Object', 'object'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
  ['External', 'external'],
  ['ContainerResource', 'containerResource'],
] as const;

const metricTypes: readonly string[] = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

/** Adds the errors of a metric. Paths are those of the newest version. */
export function validateMetric(errors: FieldError[], metric: Partial<MetricSpec>, path: FieldPath): void {
  const type = metric.type ?? '';
  if (type === '') errors.push(required(path.child('type'), 'must specify a metric source type'));
  const typeError = metricTypes.includes(type)
    ? undefined
    : notSupported(path.child('type'), type, metricTypes);
  if (typeError !== undefined) errors.push(typeError);
  const own = sources.find(([name]) => name === type)?.[1];
  if (metric.object) validateObject(errors, metric.object, path.child('object'));
  if (metric.pods) validatePods(errors, metric.pods, path.child('pods'));
  if (metric.resource) validateResource(errors, metric.resource, path.child('resource'));
  if (metric.external) validateExternal(errors, metric.external, path.child('external'));
  if (metric.containerResource) {
    const containerPath = path.child('containerResource');
    validateResource(errors, metric.containerResource, containerPath);
    const { container } = metric.containerResource;
    if (!container) errors.push(required(containerPath.child('container'), 'must specify a container'));
    else reportInvalid(errors, containerPath.child('container'), container, isPathSegmentName(container));
  }
  // Release 1.20 looks at the type twice, so clients see this cause twice.
  if (typeError !== undefined) errors.push(typeError);
  if (own === undefined) return;
  if (!metric[own]) {
    errors.push(required(path.child(own), 'must populate information for the given metric source'));
  }
  for (const [, field] of sources) {
    if (field === own || !metric[field]) continue;
    const detail = 'must populate the given metric source only';
    errors.push(forbiddenField(path.child(field), detail));
  }
}

/** Adds the errors of a reference to what is scaled, or to what a metric is about. */
export function validateTargetRef(
  errors: FieldError[],
  { kind, name }: Pick<CrossVersionObjectReference, 'kind' | 'name'>,
  path: FieldPath,
): void {
  if (!kind) errors.push(required(path.child('kind')));
  else reportInvalid(errors, path.child('kind'), kind, isPathSegmentName(kind));
  if (!name) errors.push(required(path.child('name')));
  else reportInvalid(errors, path.child('name'), name, isPathSegmentName(name));
}

function validateName(errors: FieldError[], name: string | undefined, path: FieldPath): void {
  if (!name) errors.push(required(path.child('name'), 'must specify a metric name'));
  else reportInvalid(errors, path.child('name'), name, isPathSegmentName(name));
}

/** Zero stands for a quantity that the stored version cannot leave out. */
const isGiven = (quantity: string | null | undefined): quantity is string =>
  quantity !== undefined && quantity !== null && quantity !== '' && quantity !== '0';

function validateAmount(errors: FieldError[], quantity: string | null | undefined, path: FieldPath): void {
  if (quantity === undefined || quantity === null || quantity === '') return;
  if (quantitySign(parseQuantity(quantity)) > 0) return;
  errors.push(invalidValue(path, goQuantity(quantity), 'must be positive'));
}

function validateObject(
  errors: FieldError[],
  source: NonNullable<MetricSpec['object']>,
  path: FieldPath,
): void {
  validateTargetRef(errors, source.target ?? { kind: '', name: '' }, path.child('describedObject'));
  validateName(errors, source.metricName, path.child('metric'));
  errors.push(...validateLabelSelector(source.selector, path.child('metric', 'selector')));
  const target = path.child('target');
  if (isGiven(source.targetValue)) validateAmount(errors, source.targetValue, target.child('value'));
  validateAmount(errors, source.averageValue, target.child('averageValue'));
  if (isGiven(source.targetValue) || source.averageValue) return;
  const detail = 'must set either a target value or averageValue';
  errors.push(required(target.child('averageValue'), detail));
}

function validatePods(errors: FieldError[], source: NonNullable<MetricSpec['pods']>, path: FieldPath): void {
  validateName(errors, source.metricName, path.child('metric'));
  errors.push(...validateLabelSelector(source.selector, path.child('metric', 'selector')));
  const target = path.child('target', 'averageValue');
  if (isGiven(source.targetAverageValue) && quantitySign(parseQuantity(source.targetAverageValue)) > 0)
    return;
  if (isGiven(source.targetAverageValue)) validateAmount(errors, source.targetAverageValue, target);
  errors.push(required(target, 'must specify a positive target averageValue'));
}

function validateResource(
  errors: FieldError[],
  source: NonNullable<MetricSpec['resource']>,
  path: FieldPath,
): void {
  const { name, targetAverageUtilization: share, targetAverageValue: amount } = source;
  if (!name) errors.push(required(path.child('name'), 'must specify a resource name'));
  const target = path.child('target');
  const hasShare = share !== undefined && share !== null;
  if (hasShare && share < 1) {
    errors.push(invalidValue(target.child('averageUtilization'), share, 'must be greater than 0'));
  }
  validateAmount(errors, amount, target.child('averageValue'));
  if (!hasShare && !amount) {
    const detail = 'must set either a target raw value or a target utilization';
    errors.push(required(target.child('averageUtilization'), detail));
  } else if (hasShare && amount) {
    const detail = 'may not set both a target raw value and a target utilization';
    errors.push(forbiddenField(target.child('averageValue'), detail));
  }
}

function validateExternal(
  errors: FieldError[],
  source: NonNullable<MetricSpec['external']>,
  path: FieldPath,
): void {
  validateName(errors, source.metricName, path.child('metric'));
  errors.push(...validateLabelSelector(source.metricSelector, path.child('metric', 'selector')));
  const target = path.child('target');
  validateAmount(errors, source.targetValue, target.child('value'));
  validateAmount(errors, source.targetAverageValue, target.child('averageValue'));
  if (!source.targetValue && !source.targetAverageValue) {
    const detail = 'must set either a target value for metric or a per-pod target';
    errors.push(required(target.child('averageValue'), detail));
  } else if (source.targetValue && source.targetAverageValue) {
    const detail = 'may not set both a target value for metric and a per-pod target';
    errors.push(forbiddenField(target.child('value'), detail));
  }
}
