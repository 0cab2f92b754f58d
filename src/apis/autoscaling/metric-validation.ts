import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import { parseQuantity, quantitySign } from '../../machinery/values/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ResourceMetricSource,
} from '../types/autoscaling-v2beta2.ts';
import {
  goQuantity,
  isDns1123Label,
  isPathSegmentName,
  validateContainerResourceName,
} from '../validation/index.ts';

/** Where metrics of a type have their source, in the order in which release 1.20 looks at them. */
const sources = [
  ['Object', 'object'],
  ['External', 'external'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
] as const;

type Source = (typeof sources)[number][1];

const metricTypes: readonly string[] = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const targetTypes: readonly string[] = ['Utilization', 'Value', 'AverageValue'];

type Context = Pick<RuleContext, 'dialect' | 'gates'>;

/** Adds the errors of a metric in the form of the newest version. */
export function validateMetric(
  errors: FieldError[],
  metric: Partial<MetricSpec>,
  path: FieldPath,
  context: Context,
): void {
  const type = metric.type ?? '';
  if (type === '') errors.push(required(path.child('type'), 'must specify a metric source type'));
  const typeError = metricTypes.includes(type)
    ? undefined
    : notSupported(path.child('type'), type, metricTypes);
  if (typeError !== undefined) errors.push(typeError);
  const present = sources.map(([, field]) => field).filter((field) => metric[field]);
  const [first] = present;
  // Only the first of several sources is looked into.
  if (first !== undefined) validateSource(errors, metric, first, path.child(first), context);
  const own = sources.find(([name]) => name === type)?.[1];
  if (own !== undefined && !metric[own]) {
    const isOff = own === 'containerResource' && !context.gates.has('HPAContainerMetrics');
    const hint = isOff ? ' (only allowed when HPAContainerMetrics feature is enabled)' : '';
    errors.push(required(path.child(own), `must populate information for the given metric source${hint}`));
  }
  // Release 1.20 looks at the type twice, so clients see this cause twice.
  if (typeError !== undefined) errors.push(typeError);
  // A single source of another type is not told.
  if (present.length < 2) return;
  for (const field of present) {
    if (field !== own)
      errors.push(forbiddenField(path.child(field), 'must populate the given metric source only'));
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

function validateSource(
  errors: FieldError[],
  { object, external, pods, resource, containerResource }: Partial<MetricSpec>,
  source: Source,
  path: FieldPath,
  context: Context,
): void {
  const targetPath = path.child('target');
  switch (source) {
    case 'object':
      if (object === undefined) return;
      validateTargetRef(
        errors,
        object.describedObject ?? { kind: '', name: '' },
        path.child('describedObject'),
      );
      validateNamed(errors, object, path);
      if (!hasValue(object.target) && !hasAverage(object.target)) {
        errors.push(
          required(targetPath.child('averageValue'), 'must set either a target value or averageValue'),
        );
      }
      return;
    case 'external':
      if (external === undefined) return;
      validateNamed(errors, external, path);
      validateOneAmount(errors, external.target, targetPath);
      return;
    case 'pods':
      if (pods === undefined) return;
      validateNamed(errors, pods, path);
      if (!hasAverage(pods.target)) {
        errors.push(
          required(targetPath.child('averageValue'), 'must specify a positive target averageValue'),
        );
      }
      return;
    case 'resource':
      if (resource !== undefined) validateResource(errors, resource, path);
      return;
    default:
      if (containerResource !== undefined)
        validateContainerResource(errors, containerResource, path, context);
  }
}

const hasValue = ({ value }: MetricTarget): boolean => value !== undefined && value !== null;
const hasAverage = ({ averageValue }: MetricTarget): boolean =>
  averageValue !== undefined && averageValue !== null;

interface NamedSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

/** The name of a metric and its target. Its selector may say anything. */
function validateNamed(errors: FieldError[], { metric, target }: NamedSource, path: FieldPath): void {
  const namePath = path.child('metric', 'name');
  if (!metric.name) errors.push(required(namePath, 'must specify a metric name'));
  else reportInvalid(errors, namePath, metric.name, isPathSegmentName(metric.name));
  validateTarget(errors, target, path.child('target'));
}

function validateOneAmount(errors: FieldError[], target: MetricTarget, path: FieldPath): void {
  if (!hasValue(target) && !hasAverage(target)) {
    const detail = 'must set either a target value for metric or a per-pod target';
    errors.push(required(path.child('averageValue'), detail));
  } else if (hasValue(target) && hasAverage(target)) {
    const detail = 'may not set both a target value for metric and a per-pod target';
    errors.push(forbiddenField(path.child('value'), detail));
  }
}

function validateResource(errors: FieldError[], source: ResourceMetricSource, path: FieldPath): void {
  if (!source.name) errors.push(required(path.child('name'), 'must specify a resource name'));
  validateResourceTarget(errors, source.target, path);
}

function validateContainerResource(
  errors: FieldError[],
  { name, container, target }: ContainerResourceMetricSource,
  path: FieldPath,
  { dialect }: Context,
): void {
  const namePath = path.child('name');
  if (!name) errors.push(required(namePath, 'must specify a resource name'));
  else errors.push(...validateContainerResourceName(name, namePath, dialect));
  const containerPath = path.child('container');
  if (!container) errors.push(required(containerPath, 'must specify a container'));
  else reportInvalid(errors, containerPath, container, isDns1123Label(container));
  validateResourceTarget(errors, target, path);
}

function validateResourceTarget(errors: FieldError[], target: MetricTarget, path: FieldPath): void {
  const targetPath = path.child('target');
  validateTarget(errors, target, targetPath);
  const hasShare = target.averageUtilization !== undefined && target.averageUtilization !== null;
  if (!hasShare && !hasAverage(target)) {
    const detail = 'must set either a target raw value or a target utilization';
    errors.push(required(targetPath.child('averageUtilization'), detail));
  } else if (hasShare && hasAverage(target)) {
    const detail = 'may not set both a target raw value and a target utilization';
    errors.push(forbiddenField(targetPath.child('averageValue'), detail));
  }
}

function validateTarget(errors: FieldError[], target: MetricTarget, path: FieldPath): void {
  const { type = '', value, averageValue, averageUtilization: share } = target;
  if (type === '') errors.push(required(path.child('type'), 'must specify a metric target type'));
  if (!targetTypes.includes(type)) {
    const detail = 'must be either Utilization, Value, or AverageValue';
    errors.push(invalidValue(path.child('type'), type, detail));
  }
  validateAmount(errors, value, path.child('value'));
  validateAmount(errors, averageValue, path.child('averageValue'));
  if (share !== undefined && share !== null && share < 1) {
    errors.push(invalidValue(path.child('averageUtilization'), share, 'must be greater than 0'));
  }
}

function validateAmount(errors: FieldError[], quantity: string | null | undefined, path: FieldPath): void {
  if (quantity === undefined || quantity === null) return;
  if (quantitySign(parseQuantity(quantity)) > 0) return;
  errors.push(invalidValue(path, goQuantity(quantity), 'must be positive'));
}
