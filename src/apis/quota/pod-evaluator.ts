import type { Dialect } from '../../machinery/dialect.ts';
import { integerQuantity, type Quantity } from '../../machinery/values/index.ts';
import { podQosClass } from '../core/pod-qos.ts';
import type { Container, Pod, ScopedResourceSelectorRequirement } from '../types/core-v1.ts';
import { isExtendedResource, isNativeResource } from '../validation/index.ts';
import { type Amounts, addAmounts, largerAmounts, parseAmounts } from './amounts.ts';
import type { Evaluator } from './evaluator.ts';

/** Resources that pods have on a node, and the names under which quotas bound their requests and limits. */
const computeNames = ['cpu', 'memory', 'ephemeral-storage'] as const;

const podNames: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...computeNames.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

/** What every container must state once a quota bounds it. */
const demandedNames: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

const one = integerQuantity(1);

/** Of pods: how many there are and what their containers may use. `nowMs` tells which should be gone by now. */
export function podEvaluator(dialect: Dialect, nowMs: () => number): Evaluator {
  const matches = (name: string): boolean =>
    podNames.has(name) ||
    /^(requests\.)?hugepages-/.test(name) ||
    (!isNativeResource(name, dialect) && name.startsWith('requests.'));
  const usage = ({ requests, limits }: ContainerAmounts): Amounts => usageOf(requests, limits, dialect);
  return {
    handles: (operation) => operation === 'CREATE',
    matches,
    missing({ spec }: Pod, required) {
      const demanded = required.filter((name) => demandedNames.has(name));
      const missing = new Set<string>();
      for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
        const stated = usage(amountsOf(container));
        for (const name of demanded) if (!stated.has(name)) missing.add(name);
      }
      return [...missing].sort();
    },
    usage(pod: Pod) {
      const counted: Amounts = new Map([['count/pods', one]]);
      return isCharged(pod, nowMs()) ? addAmounts(counted, usage(podAmounts(pod))) : counted;
    },
    isInScope: isPodInScope,
  };
}

interface ContainerAmounts {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

const amountsOf = ({ resources }: Pick<Container, 'resources'>): ContainerAmounts => ({
  requests: parseAmounts(resources?.requests),
  limits: parseAmounts(resources?.limits),
});

/** All containers run at once, init containers one by one before them. The overhead of the sandbox is not counted. */
function podAmounts({ spec }: Pod): ContainerAmounts {
  const containers = (spec.containers ?? []).map(amountsOf);
  const initContainers = (spec.initContainers ?? []).map(amountsOf);
  const total = (field: keyof ContainerAmounts): Amounts => {
    const sum = containers.reduce<Amounts>((so, each) => addAmounts(so, each[field]), new Map());
    return initContainers.reduce<Amounts>((so, each) => largerAmounts(so, each[field]), sum);
  };
  return { requests: total('requests'), limits: total('limits') };
}

function usageOf(requests: Amounts, limits: Amounts, dialect: Dialect): Map<string, Quantity> {
  const used = new Map<string, Quantity>([['pods', one]]);
  for (const name of computeNames) {
    const request = requests.get(name);
    const limit = limits.get(name);
    if (request !== undefined) used.set(name, request).set(`requests.${name}`, request);
    if (limit !== undefined) used.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith('hugepages-')) used.set(name, request).set(`requests.${name}`, request);
    // These cannot be overcommitted: only their requests are bounded.
    if (isExtendedResource(name, dialect)) used.set(`requests.${name}`, request);
  }
  return used;
}

/** Whether a pod counts for more than an object: it has not ended, and is not overdue to be gone. */
function isCharged({ metadata, status }: Pod, nowMs: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return true;
  return nowMs <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function isPodInScope({ spec }: Pod, requirement: ScopedResourceSelectorRequirement): boolean {
  const { scopeName } = requirement;
  const isTerminating = (spec.activeDeadlineSeconds ?? -1) >= 0;
  if (scopeName === 'Terminating') return isTerminating;
  if (scopeName === 'NotTerminating') return !isTerminating;
  if (scopeName === 'BestEffort') return podQosClass(spec) === 'BestEffort';
  if (scopeName === 'NotBestEffort') return podQosClass(spec) !== 'BestEffort';
  return scopeName === 'PriorityClass' && isOfClass(spec.priorityClassName ?? '', requirement);
}

function isOfClass(name: string, { operator, values }: ScopedResourceSelectorRequirement): boolean {
  const isNamed = name !== '' && (values ?? []).includes(name);
  if (operator === 'Exists') return name !== '';
  if (operator === 'DoesNotExist') return name === '';
  return operator === 'In' ? isNamed : operator === 'NotIn' && !isNamed;
}
