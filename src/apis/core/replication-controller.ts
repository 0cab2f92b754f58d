import { type FieldError, fieldPath, required } from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { ReplicationController } from '../types/core-v1.ts';
import { nameIsDnsSubdomain, validateNonNegative } from '../validation/index.ts';
import {
  checkCounters,
  checkReplicaCounts,
  checkReplicatedTemplate,
  dropGatedPodFields,
  type TemplateSelector,
} from './pod-spec/index.ts';

const specPath = fieldPath('spec');
const templatePath = specPath.child('template');
const statusPath = fieldPath('status');
const countedFields = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
];
const boundedFields = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

function validate({ spec }: ReplicationController, context: RuleContext): FieldError[] {
  const errors = validateNonNegative(spec.minReadySeconds ?? 0, specPath.child('minReadySeconds'));
  const labels = spec.selector ?? {};
  if (Object.keys(labels).length === 0) errors.push(required(specPath.child('selector')));
  const replicas = spec.replicas ?? 0;
  errors.push(...validateNonNegative(replicas, specPath.child('replicas')));
  if (!spec.template) return [...errors, required(templatePath)];
  const options = { selector: exactly(labels), replicas, owner: 'ReplicationController', context } as const;
  checkReplicatedTemplate(errors, spec.template, templatePath, options);
  return errors;
}

/** The labels as they are: release 1.20 does not ask whether they could be a selector. */
const exactly = (labels: Readonly<Record<string, string>>): TemplateSelector => ({
  isEmpty: Object.keys(labels).length === 0,
  matches: (found) => Object.entries(labels).every(([key, value]) => found?.[key] === value),
});

function dropFields(
  object: ReplicationController,
  old: ReplicationController | undefined,
  context: RuleContext,
): void {
  if (object.spec.template)
    dropGatedPodFields(object.spec.template, old?.spec.template ?? undefined, context);
}

/** Rules of replication controllers. */
export const replicationControllerRules: KindRules<ReplicationController> = {
  validateName: nameIsDnsSubdomain,
  hasGeneration: true,
  hasStatus: true,
  defaultPropagationPolicy: 'Orphan',
  prepareForCreate: (object, context) => dropFields(object, undefined, context),
  validate,
  prepareForUpdate: dropFields,
  // Release 1.20 checks the object as new and as changed, and reports what it finds twice.
  validateUpdate: (object, _old, context) => [...validate(object, context), ...validate(object, context)],
  status: {
    validateUpdate({ status }) {
      const errors: FieldError[] = [];
      checkCounters(errors, status, countedFields, statusPath);
      checkReplicaCounts(errors, status, boundedFields, statusPath);
      return errors;
    },
  },
};
