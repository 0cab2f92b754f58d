import type { Dialect } from '../../machinery/dialect.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import {
  compareQuantities,
  formatQuantity,
  integerQuantity,
  parseQuantity,
  type Quantity,
  wrappedQuantityValue,
} from '../../machinery/values/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { LimitRange, LimitRangeItem } from '../types/core-v1.ts';
import {
  goQuantity,
  isHugePageName,
  isNativeResource,
  isQualifiedName,
  nameIsDnsSubdomain,
  validateContainerResourceName,
  validateResourceName,
} from '../validation/index.ts';

const limitsPath = fieldPath('spec', 'limits');
const standardTypes: readonly string[] = ['Pod', 'Container', 'PersistentVolumeClaim'];

/** Limit ranges: bounds and defaults per kind of consumer, which must not contradict one another. */
export const limitRangeRules: KindRules<LimitRange> = {
  validateName: nameIsDnsSubdomain,
  allowsCreateOnUpdate: true,
  namesItself: true,
  validate: validateLimitRange,
  validateUpdate: (range, _old, context) => validateLimitRange(range, context),
};

function validateLimitRange(range: LimitRange, { dialect }: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [at, item] of (range.spec.limits ?? []).entries()) {
    const path = limitsPath.index(at);
    validateType(errors, item.type, path.child('type'));
    if (seen.has(item.type)) errors.push(duplicate(path.child('type'), item.type));
    seen.add(item.type);
    validateNames(errors, item, path, dialect);
    for (const name of namesOf(item)) validateOrder(errors, boundsOf(item, name), { name, path, dialect });
  }
  return errors;
}

function validateType(errors: FieldError[], type: string, path: FieldPath): void {
  const problems = isQualifiedName(type);
  reportInvalid(errors, path, type, problems);
  if (problems.length > 0 || type.includes('/') || standardTypes.includes(type)) return;
  errors.push(invalidValue(path, type, 'must be a standard limit type or fully qualified'));
}

type BoundField = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio';

function validateNames(errors: FieldError[], item: LimitRangeItem, path: FieldPath, dialect: Dialect): void {
  const isForPods = item.type === 'Pod';
  const checkNames = (field: BoundField): void => {
    for (const name in item[field]) {
      const at = path.child(field).key(name);
      const isForContainers = isForPods || item.type === 'Container';
      errors.push(
        ...(isForContainers
          ? validateContainerResourceName(name, at, dialect)
          : validateResourceName(name, at)),
      );
    }
  };
  checkNames('max');
  checkNames('min');
  for (const field of ['default', 'defaultRequest'] as const) {
    if (!isForPods) checkNames(field);
    else if (hasEntries(item[field])) {
      errors.push(forbiddenField(path.child(field), "may not be specified when `type` is 'Pod'"));
    }
  }
  if (item.type === 'PersistentVolumeClaim' && !item.min?.storage && !item.max?.storage) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(required(path.child('limits'), detail));
  }
  checkNames('maxLimitRequestRatio');
}

const hasEntries = (map: object | undefined): boolean => map !== undefined && Object.keys(map).length > 0;

function namesOf(item: LimitRangeItem): Set<string> {
  const names = new Set<string>([...Object.keys(item.max ?? {}), ...Object.keys(item.min ?? {})]);
  if (item.type !== 'Pod') {
    for (const name in item.default) names.add(name);
    for (const name in item.defaultRequest) names.add(name);
  }
  for (const name in item.maxLimitRequestRatio) names.add(name);
  return names;
}

type Bounds = Readonly<Record<BoundField, Quantity | undefined>>;

function boundsOf(item: LimitRangeItem, name: string): Bounds {
  const read = (field: BoundField): Quantity | undefined => {
    const text = item[field]?.[name];
    return text === undefined ? undefined : parseQuantity(text);
  };
  const isForPods = item.type === 'Pod';
  return {
    min: read('min'),
    max: read('max'),
    default: isForPods ? undefined : read('default'),
    defaultRequest: isForPods ? undefined : read('defaultRequest'),
    maxLimitRequestRatio: read('maxLimitRequestRatio'),
  };
}

interface OrderOptions {
  readonly name: string;
  readonly path: FieldPath;
  readonly dialect: Dialect;
}

const words: Readonly<Record<BoundField, string>> = {
  min: 'min value',
  max: 'max value',
  default: 'default value',
  defaultRequest: 'default request value',
  maxLimitRequestRatio: 'ratio',
};

/** What may not be greater than what, where the error stands, and which value it shows. */
const orders: readonly (readonly [low: BoundField, high: BoundField, at: BoundField, shown: BoundField])[] = [
  ['min', 'max', 'min', 'min'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest', 'defaultRequest'],
  ['min', 'default', 'default', 'min'],
  ['default', 'max', 'default', 'max'],
];

function validateOrder(errors: FieldError[], bounds: Bounds, options: OrderOptions): void {
  const { name, path } = options;
  for (const [low, high, at, shown] of orders) {
    const lower = bounds[low];
    const upper = bounds[high];
    if (lower === undefined || upper === undefined || compareQuantities(lower, upper) <= 0) continue;
    const upperWord = low === 'defaultRequest' && high === 'default' ? 'default limit value' : words[high];
    const detail = `${words[low]} ${formatQuantity(lower)} is greater than ${upperWord} ${formatQuantity(upper)}`;
    errors.push(invalidValue(path.child(at).key(name), showBound(bounds[shown]), detail));
  }
  validateRatio(errors, bounds, options);
  const { default: limit, defaultRequest: request } = bounds;
  const isShared = isNativeResource(name, options.dialect) && !isHugePageName(name);
  if (isShared || limit === undefined || request === undefined || compareQuantities(limit, request) === 0) {
    return;
  }
  const detail = `default value ${formatQuantity(limit)} must equal to defaultRequest value ${formatQuantity(request)} in ${name}`;
  errors.push(invalidValue(path.child('defaultRequest').key(name), showBound(request), detail));
}

const showBound = (quantity: Quantity | undefined) =>
  goQuantity(formatQuantity(quantity ?? integerQuantity(0)));

function validateRatio(
  errors: FieldError[],
  { min, max, maxLimitRequestRatio: ratio }: Bounds,
  { name, path }: OrderOptions,
): void {
  if (ratio === undefined) return;
  const at = path.child('maxLimitRequestRatio').key(name);
  const text = formatQuantity(ratio);
  if (compareQuantities(ratio, integerQuantity(1)) < 0) {
    errors.push(invalidValue(at, showBound(ratio), `ratio ${text} is less than 1`));
  }
  if (min === undefined || max === undefined) return;
  const thousandths = (quantity: Quantity): number => Number(wrappedQuantityValue(quantity, -3));
  const most = thousandths(max) / thousandths(min);
  if (thousandths(ratio) / 1000 > most) {
    errors.push(
      invalidValue(at, showBound(ratio), `ratio ${text} is greater than max/min = ${most.toFixed(6)}`),
    );
  }
}
