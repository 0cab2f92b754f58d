import { type FieldError, type FieldPath, notSupported, required } from '../../machinery/errors/index.ts';
import { checkCounters, checkPodTemplateSpec } from '../core/pod-spec/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { JobSpec } from '../types/batch-v1.ts';

const countedFields = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
];

/** Errors of a job's spec without those of its selector, which jobs of a cron job do not have yet. */
export function checkJobSpec(
  errors: FieldError[],
  spec: JobSpec,
  path: FieldPath,
  context: RuleContext,
): void {
  const templatePath = path.child('template');
  checkCounters(errors, spec, countedFields, path);
  checkPodTemplateSpec(errors, spec.template, templatePath, context);
  const { restartPolicy = '' } = spec.template.spec;
  const policyPath = templatePath.child('spec', 'restartPolicy');
  // `Always` is also what an unset policy became, so it reads as a missing one.
  if (restartPolicy === 'Always') {
    errors.push(required(policyPath, 'valid values: "OnFailure", "Never"'));
  } else if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    errors.push(notSupported(policyPath, restartPolicy, ['OnFailure', 'Never']));
  }
}
