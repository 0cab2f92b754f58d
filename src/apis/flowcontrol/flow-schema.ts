import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type {
  FlowSchema,
  FlowSchemaCondition,
  PolicyRulesWithSubjects,
} from '../types/flowcontrol-apiserver-v1beta1.ts';
import { deepEqual, isDns1123Subdomain, nameIsDnsSubdomain, renderGo } from '../validation/index.ts';
import mandatory from './mandatory.json' with { type: 'json' };
import { validateNonResourceRule, validateResourceRule } from './request-rules.ts';
import { validateSubject } from './subjects.ts';

const specPath = fieldPath('spec');
const apiVersion = 'flowcontrol.apiserver.orch.io/v1beta1';
const maxPrecedence = 10_000;
const fixedSpecs: ReadonlyMap<string, unknown> = new Map(Object.entries(mandatory.flowSchemas));

/** Flow schemas. Two of them must stay as they are, or the server could be locked out. */
export const flowSchemaRules: KindRules<FlowSchema> = {
  hasStatus: true,
  hasGeneration: true,
  validateName: nameIsDnsSubdomain,
  prepareForCreate(schema) {
    schema.status = {};
  },
  prepareForUpdate(schema, old) {
    schema.status = old.status;
  },
  validate: validateFlowSchema,
  validateUpdate: (schema, _old, context) => validateFlowSchema(schema, context),
  status: {
    prepareForUpdate(schema, old) {
      const { managedFields, resourceVersion } = schema.metadata;
      schema.metadata = { ...old.metadata, resourceVersion, managedFields };
      schema.spec = old.spec;
    },
    validateUpdate: (schema, _old, context) => validateFlowSchema(schema, context),
  },
};

/** The condition that says whether a schema's priority level exists; undefined where the schema has it already. */
export function danglingCondition(
  { spec, status }: FlowSchema,
  hasLevel: boolean,
  now: string,
): FlowSchemaCondition | undefined {
  const level = JSON.stringify(spec.priorityLevelConfiguration.name);
  const text = `This FlowSchema references the PriorityLevelConfiguration object named ${level}`;
  const wanted = hasLevel
    ? { status: 'False', reason: 'Found', message: `${text} and it exists` }
    : { status: 'True', reason: 'NotFound', message: `${text} but there is no such object` };
  const current = status.conditions?.find(({ type }) => type === 'Dangling');
  const { status: shown, reason, message } = current ?? {};
  if (shown === wanted.status && reason === wanted.reason && message === wanted.message) return undefined;
  return { type: 'Dangling', lastTransitionTime: now, ...wanted };
}

function validateFlowSchema(schema: FlowSchema, { catalog }: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const name = schema.metadata.name ?? '';
  validateSpec(errors, name, schema.spec, catalog);
  const fixed = fixedSpecs.get(name);
  if (fixed !== undefined && !deepEqual(fixed, schema.spec)) {
    const shown = renderGo(schema.spec, `${apiVersion}.FlowSchemaSpec`, catalog);
    errors.push(invalidValue(specPath, shown, `spec of '${name}' must equal the fixed value`));
  }
  validateConditions(errors, schema.status.conditions);
  return errors;
}

/** Adds the errors of conditions: each has a type, and no type comes twice. */
export function validateConditions(
  errors: FieldError[],
  conditions: readonly { readonly type?: string | undefined }[] | undefined,
): void {
  const seen = new Set<string>();
  for (const [at, { type = '' }] of (conditions ?? []).entries()) {
    const path = fieldPath('status', 'conditions').index(at).child('type');
    if (seen.has(type)) errors.push(duplicate(path, type));
    seen.add(type);
    if (type === '') errors.push(required(path, 'must not be empty'));
  }
}

function validateSpec(
  errors: FieldError[],
  name: string,
  spec: FlowSchema['spec'],
  catalog: RuleContext['catalog'],
): void {
  const { matchingPrecedence: precedence, distinguisherMethod, priorityLevelConfiguration } = spec;
  const refuse = (detail: string): void => {
    errors.push(invalidValue(specPath.child('matchingPrecedence'), precedence, detail));
  };
  if (precedence <= 0) refuse('must be a positive value');
  if (precedence > maxPrecedence) refuse(`must not be greater than ${maxPrecedence}`);
  if (precedence === 1 && name !== 'exempt') {
    refuse("only the schema named 'exempt' may have matchingPrecedence 1");
  }
  const methods = ['ByNamespace', 'ByUser'];
  if (distinguisherMethod !== undefined && !methods.includes(distinguisherMethod.type)) {
    const path = specPath.child('distinguisherMethod', 'type');
    const type = `${apiVersion}.FlowDistinguisherMethod`;
    errors.push(notSupported(path, renderGo(distinguisherMethod, type, catalog), methods));
  }
  const level = priorityLevelConfiguration.name;
  const levelPath = specPath.child('priorityLevelConfiguration', 'name');
  if (level === '') errors.push(required(levelPath, 'must reference a priority level'));
  else reportInvalid(errors, levelPath, level, isDns1123Subdomain(level));
  for (const [at, rule] of (spec.rules ?? []).entries()) {
    validateRule(errors, rule, specPath.child('rules').index(at));
  }
}

function validateRule(errors: FieldError[], rule: PolicyRulesWithSubjects, path: FieldPath): void {
  const { subjects, resourceRules = [], nonResourceRules = [] } = rule;
  if (!subjects?.length) {
    errors.push(required(path.child('subjects'), 'subjects must contain at least one value'));
  }
  for (const [at, subject] of (subjects ?? []).entries()) {
    validateSubject(errors, subject, path.child('subjects').index(at));
  }
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  }
  for (const [at, resourceRule] of resourceRules.entries()) {
    validateResourceRule(errors, resourceRule, path.child('resourceRules').index(at));
  }
  for (const [at, nonResourceRule] of nonResourceRules.entries()) {
    validateNonResourceRule(errors, nonResourceRule, path.child('nonResourceRules').index(at));
  }
}
