import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import { checkCounters, dropGatedPodFields } from '../core/pod-spec/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { requireOneOf } from '../reporting.ts';
import type { CronJob, JobTemplateSpec } from '../types/batch-v1beta1.ts';
import { isLongerThan, maxLengthMessage, nameIsDnsSubdomain, renderGo } from '../validation/index.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { checkJobSpec } from './job-spec.ts';

const specPath = fieldPath('spec');
const namePath = fieldPath('metadata', 'name');
/** A job's name may have 63 bytes, 11 of which are added to the cron job's. */
const maxNameBytes = 52;
const concurrencyPolicies = ['Allow', 'Forbid', 'Replace'];

function validateSpec({ spec }: CronJob, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const schedulePath = specPath.child('schedule');
  if (spec.schedule === '') errors.push(required(schedulePath));
  else {
    const problem = scheduleProblem(spec.schedule);
    if (problem !== undefined) errors.push(invalidValue(schedulePath, spec.schedule, problem));
  }
  checkCounters(errors, spec, ['startingDeadlineSeconds'], specPath);
  const policyPath = specPath.child('concurrencyPolicy');
  requireOneOf(errors, policyPath, spec.concurrencyPolicy, concurrencyPolicies);
  checkJobTemplate(errors, spec.jobTemplate, specPath.child('jobTemplate', 'spec'), context);
  checkCounters(errors, spec, ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], specPath);
  return errors;
}

function checkJobTemplate(
  errors: FieldError[],
  template: JobTemplateSpec,
  path: FieldPath,
  context: RuleContext,
): void {
  const { selector, manualSelector } = template.spec;
  checkJobSpec(errors, template.spec, path, context);
  if (selector) {
    const shown = renderGo(selector, 'meta.orch.io/v1.LabelSelector', context.catalog);
    errors.push(invalidValue(path.child('selector'), shown, '`selector` will be auto-generated'));
  }
  if (manualSelector) errors.push(notSupported(path.child('manualSelector'), true, ['nil', 'false']));
}

/** Rules of cron jobs. */
export const cronJobRules: KindRules<CronJob> = {
  validateName: nameIsDnsSubdomain,
  hasStatus: true,
  defaultPropagationPolicy: 'Orphan',
  prepareForCreate: ({ spec }, context) =>
    dropGatedPodFields(spec.jobTemplate.spec.template, undefined, context),
  validate(object, context) {
    const errors = validateSpec(object, context);
    const { name = '' } = object.metadata;
    if (isLongerThan(name, maxNameBytes)) {
      errors.push(invalidValue(namePath, name, maxLengthMessage(maxNameBytes)));
    }
    return errors;
  },
  prepareForUpdate: (object, old, context) =>
    dropGatedPodFields(object.spec.jobTemplate.spec.template, old.spec.jobTemplate.spec.template, context),
  // Names from before the limit stay usable.
  validateUpdate: (object, _old, context) => validateSpec(object, context),
  status: {},
};
