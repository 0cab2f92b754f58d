import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import {
  checkAlwaysRestarts,
  checkCounters,
  checkNoDeadline,
  checkReplicaCounts,
  checkTemplateLabels,
  checkTemplateMetadata,
  dropGatedPodFields,
} from '../core/pod-spec/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { StatefulSet, StatefulSetSpec } from '../types/apps-v1.ts';
import { deepEqual, nameIsDnsSubdomain, renderGo } from '../validation/index.ts';
import { checkCollisionCount } from './collision-count.ts';
import { checkSelector } from './selector.ts';

const specPath = fieldPath('spec');
const templatePath = specPath.child('template');
const statusPath = fieldPath('status');
const selectorTexts = { empty: 'empty selector is invalid for statefulset', unreadable: '' };
const countedFields = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'observedGeneration',
  'collisionCount',
];
const boundedFields = ['readyReplicas', 'currentReplicas', 'updatedReplicas'];
const frozenText =
  "updates to statefulset spec for fields other than 'replicas', 'template', and 'updateStrategy' are forbidden";

/**
 * Errors of a stateful set. The spec of its pods is not checked: volumes come from the claim templates, so the
 * reference leaves it to the creation of the pods.
 */
function validate({ spec }: StatefulSet, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  checkManagement(errors, spec.podManagementPolicy ?? '', specPath.child('podManagementPolicy'));
  checkUpdateStrategy(errors, spec, specPath.child('updateStrategy'), context);
  checkCounters(errors, spec, ['replicas'], specPath);
  const selectorPath = specPath.child('selector');
  const selector = checkSelector(errors, spec.selector ?? undefined, selectorPath, selectorTexts, context);
  if (selector) {
    checkTemplateLabels(errors, spec.template, selector, templatePath);
    checkTemplateMetadata(errors, spec.template, templatePath, context);
  }
  checkAlwaysRestarts(errors, spec.template, templatePath);
  checkNoDeadline(errors, spec.template, templatePath, 'StatefulSet');
  return errors;
}

function checkManagement(errors: FieldError[], policy: string, path: FieldPath): void {
  if (policy === 'OrderedReady' || policy === 'Parallel') return;
  if (policy === '') errors.push(required(path));
  else errors.push(invalidValue(path, policy, "must be 'OrderedReady' or 'Parallel'"));
}

function checkUpdateStrategy(
  errors: FieldError[],
  { updateStrategy }: StatefulSetSpec,
  path: FieldPath,
  { catalog }: RuleContext,
): void {
  const { type = '', rollingUpdate } = updateStrategy;
  const rollingPath = path.child('rollingUpdate');
  if (type === '') errors.push(required(path));
  else if (type === 'RollingUpdate') {
    if (rollingUpdate) checkCounters(errors, rollingUpdate, ['partition'], rollingPath);
  } else if (type !== 'OnDelete') {
    const shown = renderGo(updateStrategy, 'apps/v1.StatefulSetUpdateStrategy', catalog);
    errors.push(invalidValue(path, shown, "must be 'RollingUpdate' or 'OnDelete'"));
  } else if (rollingUpdate) {
    const shown = renderGo(rollingUpdate, 'apps/v1.RollingUpdateStatefulSetStrategy', catalog);
    errors.push(invalidValue(rollingPath, shown, "only allowed for updateStrategy 'RollingUpdate'"));
  }
}

function hasFrozenChange(spec: StatefulSetSpec, old: StatefulSetSpec): boolean {
  const { replicas, template, updateStrategy } = old;
  return !deepEqual({ ...spec, replicas, template, updateStrategy }, old);
}

/** Rules of stateful sets. */
export const statefulSetRules: KindRules<StatefulSet> = {
  validateName: nameIsDnsSubdomain,
  hasGeneration: true,
  hasStatus: true,
  prepareForCreate: ({ spec }, context) => dropGatedPodFields(spec.template, undefined, context),
  validate,
  prepareForUpdate: (object, old, context) =>
    dropGatedPodFields(object.spec.template, old.spec.template, context),
  validateUpdate({ spec }, old) {
    const errors = hasFrozenChange(spec, old.spec) ? [forbiddenField(specPath, frozenText)] : [];
    checkCounters(errors, spec, ['replicas'], specPath);
    return errors;
  },
  status: {
    validateUpdate({ status }) {
      const errors: FieldError[] = [];
      checkCounters(errors, status, countedFields, statusPath);
      checkReplicaCounts(errors, status, boundedFields, statusPath);
      return errors;
    },
    validateKept({ status }, old) {
      const errors: FieldError[] = [];
      checkCollisionCount(errors, status.collisionCount, old.status.collisionCount, statusPath);
      return errors;
    },
  },
};
