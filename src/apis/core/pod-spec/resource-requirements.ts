import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../../machinery/errors/index.ts';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantitySign,
  wrappedQuantityValue,
} from '../../../machinery/values/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import type { ResourceRequirements } from '../../types/core-v1.ts';
import {
  goQuantity,
  isHugePageName,
  isIntegerResource,
  isNativeResource,
  negativeMessage,
  validateContainerResourceName,
} from '../../validation/index.ts';

type Amounts = Readonly<Record<string, string>>;

/** True when a limit may be above the request: the node can share the resource. */
const allowsOvercommit = (name: string, context: RuleContext): boolean =>
  isNativeResource(name, context.dialect) && !isHugePageName(name);

/** Errors of what a container asks for and may use at most, or of what a pod needs beside its containers (limits only). */
export function checkResources(
  errors: FieldError[],
  resources: ResourceRequirements,
  path: FieldPath,
  context: RuleContext,
): void {
  const { limits, requests } = resources;
  if (limits) {
    const limitsPath = path.child('limits');
    for (const name in limits) checkAmount(errors, name, limits, limitsPath, context);
  }
  if (requests) {
    const requestsPath = path.child('requests');
    for (const name in requests) {
      const quantity = checkAmount(errors, name, requests, requestsPath, context);
      checkAgainstLimit(errors, name, quantity, limits?.[name], path, context);
    }
  }
  checkHugePages(errors, limits, requests, path);
}

function checkAmount(
  errors: FieldError[],
  name: string,
  amounts: Amounts,
  path: FieldPath,
  context: RuleContext,
): Quantity {
  const isCommon = name === 'cpu' || name === 'memory';
  if (!isCommon) errors.push(...validateContainerResourceName(name, path.key(name), context.dialect));
  const quantity = parseQuantity(amounts[name] ?? '0');
  if (quantitySign(quantity) < 0) {
    errors.push(invalidValue(path.key(name), formatQuantity(quantity), negativeMessage));
  }
  if (
    !isCommon &&
    isIntegerResource(name, context.dialect) &&
    wrappedQuantityValue(quantity, -3) % 1000n !== 0n
  ) {
    errors.push(invalidValue(path.key(name), goQuantity(amounts[name] ?? '0'), 'must be an integer'));
  }
  return quantity;
}

function checkAgainstLimit(
  errors: FieldError[],
  name: string,
  quantity: Quantity,
  limit: string | undefined,
  path: FieldPath,
  context: RuleContext,
): void {
  if (limit === undefined) {
    if (allowsOvercommit(name, context)) return;
    errors.push(required(path.child('limits'), 'Limit must be set for non overcommitable resources'));
    return;
  }
  const order = compareQuantities(quantity, parseQuantity(limit));
  const reject = (rule: string): void => {
    const detail = `must be ${rule} ${name} limit`;
    errors.push(invalidValue(path.child('requests'), formatQuantity(quantity), detail));
  };
  if (order !== 0 && !allowsOvercommit(name, context)) reject('equal to');
  else if (order > 0) reject('less than or equal to');
}

/** Huge pages alone are no way to run: the pod would have no other memory. */
function checkHugePages(
  errors: FieldError[],
  limits: Amounts | undefined,
  requests: Amounts | undefined,
  path: FieldPath,
): void {
  const names = [...Object.keys(limits ?? {}), ...Object.keys(requests ?? {})];
  if (names.some(isHugePageName) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(forbiddenField(path, 'HugePages require cpu or memory'));
  }
}
