import { isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import { extensionNames } from '../../machinery/schema/structural/index.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionStatus,
} from '../types/apiextensions-v1beta1.ts';
import { deepEqual } from '../validation/index.ts';
import { decideNames, type HeldNames } from './accepted-names.ts';
import { approvalOf } from './approval.ts';
import { PatternChecks } from './pattern-checks.ts';
import { validateStructure } from './structural-validation.ts';

/** Finalizer of definitions whose objects are still to be deleted. */
export const cleanupFinalizer = (dialect: Dialect): string =>
  dialect.spell('customresourcecleanup.apiextensions.orch.io');

/** Whether objects of a definition would be stored where a built-in kind's are: they are not the definition's to delete. */
export function overlapsBuiltIn(
  { group, resource }: { readonly group: string; readonly resource: string },
  dialect: Dialect,
): boolean {
  const name = `${resource}.${group}`;
  return (
    name === `apiservices.${dialect.group('apiregistration')}` ||
    name === `customresourcedefinitions.${dialect.group('apiextensions')}`
  );
}

/** Whether a condition of the definition is true. */
export function hasCondition({ status }: Pick<CustomResourceDefinition, 'status'>, type: string): boolean {
  return (status.conditions ?? []).some(
    (condition) => condition.type === type && condition.status === 'True',
  );
}

type Condition = Pick<CustomResourceDefinitionCondition, 'type' | 'status' | 'reason' | 'message'>;

/** What a status is decided with. */
export interface StatusSources {
  readonly dialect: Dialect;
  /** Names of all definitions of the group, this one's too. */
  readonly held: HeldNames;
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

/**
 * The status that a definition should have next: accepted names and conditions; undefined when it has it. What names were
 * accepted of is established in a step of its own, which watches see. Source: apiextensions, `controller/status`, `establish`,
 * `nonstructuralschema`, `apiapproval`.
 */
export function decideStatus(
  definition: CustomResourceDefinition,
  sources: StatusSources,
): CustomResourceDefinitionStatus | undefined {
  const { spec, status } = definition;
  const { accepted, conflict } = decideNames(spec.names, status.acceptedNames, sources.held);
  const conditions = new Conditions(status.conditions ?? [], sources.now);
  conditions.set(
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...conflict },
  );
  if (!conditions.isTrue('Established')) {
    conditions.set(establishment(conflict === undefined, hasCondition(definition, 'NamesAccepted')));
  }
  conditions.replace('NonStructuralSchema', nonStructural(definition, sources.dialect));
  const approvalType = sources.dialect.spell('OrchAPIApprovalPolicyConformant');
  const approval = approvalOf(definition, sources.dialect);
  conditions.replace(approvalType, approval && { type: approvalType, ...approval });
  if (!conditions.hasChanged && deepEqual(accepted, status.acceptedNames)) return undefined;
  return { ...status, acceptedNames: accepted, conditions: conditions.list };
}

function establishment(isAccepted: boolean, wasAccepted: boolean): Condition {
  const type = 'Established';
  if (!isAccepted)
    return { type, status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  const message = 'the initial names have been accepted';
  return wasAccepted
    ? { type, status: 'True', reason: 'InitialNamesAccepted', message }
    : { type, status: 'False', reason: 'Installing', message };
}

/** The condition of a definition whose schemas are not structural; undefined where all are. */
function nonStructural({ spec }: CustomResourceDefinition, dialect: Dialect): Condition | undefined {
  const errors: FieldError[] = [];
  const rules = { names: extensionNames(dialect), patterns: new PatternChecks() };
  if (spec.preserveUnknownFields === true) {
    errors.push(invalidValue(fieldPath('spec', 'preserveUnknownFields'), true, 'must be false'));
  }
  for (const [at, version] of (spec.versions ?? []).entries()) {
    const schema = (version.schema ?? spec.validation)?.openAPIV3Schema;
    if (!isJsonObject(schema)) continue;
    const path = fieldPath('spec', 'versions').index(at).child('schema', 'openAPIV3Schema');
    errors.push(...validateStructure(schema, path, rules));
  }
  if (errors.length === 0) return undefined;
  const texts = [...new Set(errors.map(String))];
  const message = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`;
  return { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message };
}

/** Conditions while they are changed. A condition's time moves when its status changes. */
class Conditions {
  readonly list: CustomResourceDefinitionCondition[];
  readonly #now: string;
  hasChanged = false;

  constructor(list: readonly CustomResourceDefinitionCondition[], now: string) {
    this.list = [...list];
    this.#now = now;
  }

  isTrue(type: string): boolean {
    return this.list.some((condition) => condition.type === type && condition.status === 'True');
  }

  /** Adds a condition, or changes the one of its type. */
  set(wanted: Condition): void {
    const at = this.list.findIndex(({ type }) => type === wanted.type);
    const old = this.list[at];
    if (old?.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message)
      return;
    const isSame = old?.status === wanted.status && Boolean(old.lastTransitionTime);
    const condition = { ...wanted, lastTransitionTime: isSame ? old?.lastTransitionTime : this.#now };
    this.hasChanged = true;
    if (old === undefined) this.list.push(condition);
    else this.list[at] = condition;
  }

  /** The same; without a condition the one of the type goes. */
  replace(type: string, wanted: Condition | undefined): void {
    if (wanted !== undefined) {
      this.set(wanted);
      return;
    }
    const at = this.list.findIndex((condition) => condition.type === type);
    if (at < 0) return;
    this.hasChanged = true;
    this.list.splice(at, 1);
  }
}

/** The status of a definition whose objects are being deleted, or were. */
export function decideTerminating(
  status: CustomResourceDefinitionStatus,
  condition: Omit<Condition, 'type'>,
  now: string,
): CustomResourceDefinitionStatus {
  const conditions = new Conditions(status.conditions ?? [], now);
  conditions.set({ type: 'Terminating', ...condition });
  return { ...status, conditions: conditions.list };
}
