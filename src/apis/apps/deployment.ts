import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import {
  checkCounters,
  checkReplicaCounts,
  checkReplicatedTemplate,
  dropGatedPodFields,
} from '../core/pod-spec/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { Deployment, DeploymentStrategy, RollingUpdateDeployment } from '../types/apps-v1.ts';
import { deepEqual, nameIsDnsSubdomain, renderGo } from '../validation/index.ts';
import { checkCollisionCount } from './collision-count.ts';
import {
  checkAtMostHundredPercent,
  checkIntOrPercent,
  intOrPercentValue,
  showIntOrString,
} from './int-or-percent.ts';
import { keepRollback, rollbackErrors, settleRollback } from './rollback-request.ts';
import { checkSameSelector, checkSelector } from './selector.ts';

const specPath = fieldPath('spec');
const selectorPath = specPath.child('selector');
const statusPath = fieldPath('status');
const selectorTexts = {
  empty: 'empty selector is invalid for deployment',
  unreadable: 'invalid label selector',
};
const countedFields = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'collisionCount',
];
const boundedFields = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];

function validate(deployment: Deployment, context: RuleContext): FieldError[] {
  const { spec } = deployment;
  const errors: FieldError[] = [];
  const { replicas = 0, minReadySeconds = 0, progressDeadlineSeconds } = spec;
  checkCounters(errors, spec, ['replicas'], specPath);
  const selector = checkSelector(errors, spec.selector ?? undefined, selectorPath, selectorTexts, context);
  if (selector) {
    const options = { selector, replicas, owner: 'ReplicaSet', context } as const;
    checkReplicatedTemplate(errors, spec.template, specPath.child('template'), options);
  }
  checkStrategy(errors, spec.strategy, specPath.child('strategy'), context);
  checkCounters(errors, spec, ['minReadySeconds', 'revisionHistoryLimit'], specPath);
  errors.push(...rollbackErrors(deployment));
  checkCounters(errors, spec, ['progressDeadlineSeconds'], specPath);
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
    const path = specPath.child('progressDeadlineSeconds');
    errors.push(invalidValue(path, progressDeadlineSeconds, 'must be greater than minReadySeconds'));
  }
  return errors;
}

function checkStrategy(
  errors: FieldError[],
  strategy: DeploymentStrategy,
  path: FieldPath,
  context: RuleContext,
): void {
  const rollingPath = path.child('rollingUpdate');
  if (strategy.type === 'Recreate') {
    if (!strategy.rollingUpdate) return;
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    errors.push(forbiddenField(rollingPath, detail));
  } else if (strategy.type !== 'RollingUpdate') {
    const shown = renderGo(strategy, 'apps/v1.DeploymentStrategy', context.catalog);
    errors.push(notSupported(path, shown, ['Recreate', 'RollingUpdate']));
  } else if (strategy.rollingUpdate) {
    checkRollingUpdate(errors, strategy.rollingUpdate, rollingPath, context);
  } else errors.push(required(rollingPath, 'this should be defaulted and never be nil'));
}

function checkRollingUpdate(
  errors: FieldError[],
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment,
  path: FieldPath,
  context: RuleContext,
): void {
  const unavailablePath = path.child('maxUnavailable');
  checkIntOrPercent(errors, maxUnavailable, unavailablePath, context);
  checkIntOrPercent(errors, maxSurge, path.child('maxSurge'), context);
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
    const shown = showIntOrString(maxUnavailable, context);
    errors.push(invalidValue(unavailablePath, shown, 'may not be 0 when `maxSurge` is 0'));
  }
  checkAtMostHundredPercent(errors, maxUnavailable, unavailablePath, context);
}

/** Rules of deployments. */
export const deploymentRules: KindRules<Deployment> = {
  validateName: nameIsDnsSubdomain,
  hasGeneration: true,
  hasStatus: true,
  prepareForCreate(object, context) {
    settleRollback(object);
    dropGatedPodFields(object.spec.template, undefined, context);
  },
  validate,
  prepareForUpdate(object, old, context) {
    settleRollback(object);
    dropGatedPodFields(object.spec.template, old.spec.template, context);
    // Annotations are handed on to replica sets, so they count as a change of what is wanted.
    if (!deepEqual(object.metadata.annotations, old.metadata.annotations)) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
  validateUpdate: (object, old, context) => [
    ...validate(object, context),
    ...checkSameSelector(object.spec.selector, old.spec.selector, selectorPath, context),
  ],
  status: {
    prepareForUpdate(object, old) {
      settleRollback(object);
      keepRollback(object, old);
      object.metadata.labels = old.metadata.labels;
    },
    validateUpdate({ status }, old) {
      const errors: FieldError[] = [];
      checkCounters(errors, status, countedFields, statusPath);
      checkReplicaCounts(errors, status, boundedFields, statusPath);
      checkCollisionCount(errors, status.collisionCount, old.status.collisionCount, statusPath);
      return errors;
    },
  },
};
