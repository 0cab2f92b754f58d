/**
 * Rules of the scheduling group: priority classes. That only one class is the default is for admission to see.
 */
import { type FieldError, fieldPath, forbiddenField } from '../../machinery/errors/index.ts';
import type { KindRules, KindRulesTable, RuleContext } from '../kind-rules.ts';
import { requireOneOf } from '../reporting.ts';
import type { PriorityClass } from '../types/scheduling-v1.ts';
import { nameIsDnsSubdomain, validateImmutableField } from '../validation/index.ts';

const systemPrefix = 'system-';
const highestUserPriority = 1_000_000_000;
const policyPath = fieldPath('preemptionPolicy');

/** From this priority on a pod is one of the system's own. No class of a user has it. */
export const systemCriticalPriority = 2_000_000_000;

/** Priorities of the classes that exist in every cluster. */
const systemPriorities: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', systemCriticalPriority + 1000],
  ['system-cluster-critical', systemCriticalPriority],
]);

const priorityClassRules: KindRules<PriorityClass> = {
  validateName: nameIsDnsSubdomain,
  whyNotDeleted: (name) =>
    systemPriorities.has(name) ? 'this is a system priority class and cannot be deleted' : undefined,
  prepareForCreate(priorityClass, context) {
    dropPreemptionPolicy(priorityClass, undefined, context);
    priorityClass.metadata.generation = 1;
  },
  prepareForUpdate(priorityClass, old, context) {
    dropPreemptionPolicy(priorityClass, old, context);
    // Release 1.20 counts generations of this kind from 1 and never on.
    if (old.metadata.generation === undefined) delete priorityClass.metadata.generation;
    else priorityClass.metadata.generation = old.metadata.generation;
  },
  validate: validatePriorityClass,
  validateUpdate(priorityClass, old) {
    const errors: FieldError[] = [];
    if (priorityClass.value !== old.value) {
      errors.push(forbiddenField(fieldPath('Value'), 'may not be changed in an update.'));
    }
    const { preemptionPolicy: policy } = priorityClass;
    return [...errors, ...validateImmutableField(policy, old.preemptionPolicy, policyPath)];
  },
};

function dropPreemptionPolicy(
  priorityClass: PriorityClass,
  old: PriorityClass | undefined,
  { gates }: RuleContext,
): void {
  if (gates.has('NonPreemptingPriority') || old?.preemptionPolicy !== undefined) return;
  delete priorityClass.preemptionPolicy;
}

function validatePriorityClass(priorityClass: PriorityClass): FieldError[] {
  const errors: FieldError[] = [];
  const name = priorityClass.metadata.name ?? '';
  if (name.startsWith(systemPrefix)) {
    const problem = describeSystemClass(name, priorityClass);
    if (problem !== undefined) {
      const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`;
      errors.push(forbiddenField(fieldPath('metadata', 'name'), detail));
    }
  } else if (priorityClass.value > highestUserPriority) {
    const detail = `maximum allowed value of a user defined priority is ${highestUserPriority}`;
    errors.push(forbiddenField(fieldPath('value'), detail));
  }
  const policy = priorityClass.preemptionPolicy;
  if (policy !== undefined) requireOneOf(errors, policyPath, policy, ['PreemptLowerPriority', 'Never']);
  return errors;
}

function describeSystemClass(name: string, { value, globalDefault }: PriorityClass): string | undefined {
  const expected = systemPriorities.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

/** Rules of the scheduling group's kinds. */
export const schedulingRules: KindRulesTable = { 'scheduling.orch.io/v1.PriorityClass': priorityClassRules };
