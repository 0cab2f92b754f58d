import { addAll } from '../../base/index.ts';
import { type FieldError, fieldPath, invalidValue, required } from '../../machinery/errors/index.ts';
import { checkCounters, dropGatedPodFields, parseSelector } from '../core/pod-spec/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { Job } from '../types/batch-v1.ts';
import {
  goLabels,
  nameIsDnsSubdomain,
  renderGo,
  validateImmutableField,
  validateLabelSelector,
} from '../validation/index.ts';
import { checkJobSpec } from './job-spec.ts';

const uidLabel = 'controller-uid';
const nameLabel = 'job-name';

/** The labels by which a job finds its pods. */
const generatedLabels = (job: Job): Record<string, string> => ({
  [uidLabel]: job.metadata.uid ?? '',
  [nameLabel]: job.metadata.name ?? '',
});

/**
 * Gives a new job the selector and labels that tell its pods from all others, unless it manages its selector
 * itself. Values that the client chose stay; validation refuses them when they do not fit.
 */
function generateJobSelector(job: Job): void {
  if (job.spec.manualSelector) return;
  const { spec } = job;
  const expected = generatedLabels(job);
  const given = spec.template.metadata.labels;
  const labels = { ...expected, ...given };
  spec.template.metadata.labels = labels;
  spec.selector = {
    ...spec.selector,
    matchLabels: { [uidLabel]: expected[uidLabel] ?? '', ...spec.selector?.matchLabels },
  };
  // By default a job has its template's labels, also those that come now.
  if (job.metadata.labels === undefined || job.metadata.labels === given) job.metadata.labels = labels;
}

const specPath = fieldPath('spec');
const selectorPath = specPath.child('selector');
const templatePath = specPath.child('template');
const statusPath = fieldPath('status');

function validate(job: Job, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  checkGenerated(errors, job, context);
  errors.push(...validateSpec(job, context));
  return errors;
}

/** A generated selector must pick this job's pods and no others. */
function checkGenerated(errors: FieldError[], job: Job, context: RuleContext): void {
  const { selector } = job.spec;
  if (job.spec.manualSelector || !selector) return;
  const expected = generatedLabels(job);
  const labels = job.spec.template.metadata.labels;
  const labelsPath = templatePath.child('metadata', 'labels');
  if (!job.metadata.uid) errors.push(required(fieldPath('metadata', 'uid')));
  for (const [key, value] of Object.entries(expected)) {
    const actual = labels?.[key];
    if (actual === undefined) errors.push(required(labelsPath.key(key), `must be '${value}'`));
    else if (actual !== value)
      errors.push(
        invalidValue(labelsPath.key(key), goLabels(job.spec.template.metadata), `must be '${value}'`),
      );
  }
  if (parseSelector(selector)?.matches(expected) !== false) return;
  const shown = renderGo(selector, 'meta.orch.io/v1.LabelSelector', context.catalog);
  errors.push(invalidValue(selectorPath, shown, '`selector` not auto-generated'));
}

function validateSpec({ spec }: Job, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  checkJobSpec(errors, spec, specPath, context);
  if (!spec.selector) errors.push(required(selectorPath));
  else addAll(errors, validateLabelSelector(spec.selector, selectorPath));
  const { labels } = spec.template.metadata;
  if (parseSelector(spec.selector)?.matches(labels) === false) {
    const detail = '`selector` does not match template `labels`';
    errors.push(
      invalidValue(templatePath.child('metadata', 'labels'), goLabels(spec.template.metadata), detail),
    );
  }
  return errors;
}

function validateFrozen({ spec }: Job, old: Job, { catalog }: RuleContext): FieldError[] {
  const shown = (value: unknown, type: string): unknown =>
    value === undefined ? undefined : renderGo(value, type, catalog);
  return [
    ...validateImmutableField(spec.completions, old.spec.completions, specPath.child('completions')),
    ...validateImmutableField(spec.selector, old.spec.selector, selectorPath, (value) =>
      shown(value, 'meta.orch.io/v1.LabelSelector'),
    ),
    ...validateImmutableField(spec.template, old.spec.template, templatePath, (value) =>
      shown(value, 'v1.PodTemplateSpec'),
    ),
  ];
}

function dropFields(job: Job, old: Job | undefined, context: RuleContext): void {
  const { spec } = job;
  if (!context.gates.has('TTLAfterFinished') && old?.spec.ttlSecondsAfterFinished === undefined) {
    delete spec.ttlSecondsAfterFinished;
  }
  dropGatedPodFields(spec.template, old?.spec.template, context);
}

/** Rules of jobs. */
export const jobRules: KindRules<Job> = {
  validateName: nameIsDnsSubdomain,
  hasStatus: true,
  defaultPropagationPolicy: 'Orphan',
  prepareForCreate(job, context) {
    generateJobSelector(job);
    dropFields(job, undefined, context);
  },
  validate,
  prepareForUpdate: dropFields,
  validateUpdate: (job, old, context) => [
    ...validateSpec(job, context),
    ...validateFrozen(job, old, context),
  ],
  status: {
    validateUpdate({ status }) {
      const errors: FieldError[] = [];
      checkCounters(errors, status, ['active', 'succeeded', 'failed'], statusPath);
      return errors;
    },
  },
};
