import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import {
  checkAlwaysRestarts,
  checkCounters,
  checkNoDeadline,
  checkPodTemplateSpec,
  checkReadOnlyDisks,
  dropGatedPodFields,
  parseSelector,
} from '../core/pod-spec/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { DaemonSet, DaemonSetUpdateStrategy } from '../types/apps-v1.ts';
import {
  deepEqual,
  goLabels,
  nameIsDnsSubdomain,
  renderGo,
  validateLabelSelector,
} from '../validation/index.ts';
import { type AnnotatedNumber, negativeErrors, readNumber, writeNumber } from './annotated-number.ts';
import { checkCollisionCount } from './collision-count.ts';
import {
  checkAtMostHundredPercent,
  checkIntOrPercent,
  intOrPercentValue,
  showIntOrString,
} from './int-or-percent.ts';
import { checkSameSelector, isEmptySelector, showSelector } from './selector.ts';

const specPath = fieldPath('spec');
const selectorPath = specPath.child('selector');
const templatePath = specPath.child('template');
const statusPath = fieldPath('status');
const generationPath = specPath.child('templateGeneration');
/** Counts changes of the template; `apps/v1` has no field for it any more. */
const templateGeneration: AnnotatedNumber = {
  annotation: 'deprecated.daemonset.template.generation',
  kind: 'DaemonSet',
  describe: (_text, reason) => reason,
};
const countedFields = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

function validate({ metadata, spec }: DaemonSet, context: RuleContext): FieldError[] {
  const { template } = spec;
  const selector = spec.selector ?? undefined;
  const errors = validateLabelSelector(selector, selectorPath);
  const { labels } = template.metadata;
  if (parseSelector(selector)?.matches(labels) === false) {
    const detail = '`selector` does not match template `labels`';
    errors.push(invalidValue(templatePath.child('metadata', 'labels'), goLabels(template.metadata), detail));
  }
  if (isEmptySelector(selector)) {
    const shown = showSelector(selector, context);
    errors.push(invalidValue(selectorPath, shown, 'empty selector is invalid for daemonset'));
  }
  checkPodTemplateSpec(errors, template, templatePath, context);
  checkReadOnlyDisks(errors, template.spec.volumes, templatePath.child('spec', 'volumes'));
  checkAlwaysRestarts(errors, template, templatePath);
  checkNoDeadline(errors, template, templatePath, 'DaemonSet');
  checkCounters(errors, spec, ['minReadySeconds'], specPath);
  errors.push(...negativeErrors(metadata, templateGeneration.annotation, generationPath));
  checkUpdateStrategy(errors, spec.updateStrategy, specPath.child('updateStrategy'), context);
  checkCounters(errors, spec, ['revisionHistoryLimit'], specPath);
  return errors;
}

function checkUpdateStrategy(
  errors: FieldError[],
  strategy: DaemonSetUpdateStrategy,
  path: FieldPath,
  context: RuleContext,
): void {
  if (strategy.type === 'OnDelete') return;
  if (strategy.type !== 'RollingUpdate') {
    const shown = renderGo(strategy, 'apps/v1.DaemonSetUpdateStrategy', context.catalog);
    errors.push(notSupported(path, shown, ['RollingUpdate', 'OnDelete']));
    return;
  }
  if (!strategy.rollingUpdate) {
    errors.push(required(path.child('rollingUpdate')));
    return;
  }
  const { maxUnavailable = 0 } = strategy.rollingUpdate;
  const unavailablePath = path.child('rollingUpdate', 'maxUnavailable');
  checkIntOrPercent(errors, maxUnavailable, unavailablePath, context);
  if (intOrPercentValue(maxUnavailable) === 0) {
    errors.push(invalidValue(unavailablePath, showIntOrString(maxUnavailable, context), 'cannot be 0'));
  }
  checkAtMostHundredPercent(errors, maxUnavailable, unavailablePath, context);
}

const readTemplateGeneration = ({ metadata }: DaemonSet): bigint =>
  readNumber(metadata, templateGeneration) ?? 0n;

const writeTemplateGeneration = ({ metadata }: DaemonSet, value: bigint): void =>
  writeNumber(metadata, templateGeneration.annotation, value);

function checkGrowth(object: DaemonSet, old: DaemonSet): FieldError[] {
  const count = readTemplateGeneration(object);
  if (count >= readTemplateGeneration(old)) return [];
  return [invalidValue(generationPath, count, 'must not be decremented')];
}

/** Rules of daemon sets. */
export const daemonSetRules: KindRules<DaemonSet> = {
  validateName: nameIsDnsSubdomain,
  hasGeneration: true,
  hasStatus: true,
  prepareForCreate(object, context) {
    dropGatedPodFields(object.spec.template, undefined, context);
    const given = readTemplateGeneration(object);
    writeTemplateGeneration(object, given < 1n ? 1n : given);
  },
  validate,
  prepareForUpdate(object, old, context) {
    dropGatedPodFields(object.spec.template, old.spec.template, context);
    readTemplateGeneration(object);
    const isSame = deepEqual(object.spec.template, old.spec.template);
    const next = readTemplateGeneration(old) + (isSame ? 0n : 1n);
    // After the largest number comes the least, which validation refuses.
    writeTemplateGeneration(object, BigInt.asIntN(64, next));
  },
  validateUpdate: (object, old, context) => [
    ...checkGrowth(object, old),
    ...validate(object, context),
    ...checkSameSelector(object.spec.selector, old.spec.selector, selectorPath, context),
  ],
  status: {
    // It counts changes of the template, which are no part of the status.
    prepareForUpdate: (object, old) => writeTemplateGeneration(object, readTemplateGeneration(old)),
    validateUpdate({ status }, old) {
      const errors: FieldError[] = [];
      checkCounters(errors, status, countedFields, statusPath);
      checkCollisionCount(errors, status.collisionCount, old.status.collisionCount, statusPath);
      return errors;
    },
  },
};
