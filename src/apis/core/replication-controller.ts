import { FieldError, fieldPath, invalidValue, required } from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { ReplicationController } from '../types/core-v1.ts';
import { deepEqual, nameIsDnsSubdomain, renderGo, validateNonNegative } from '../validation/index.ts';
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

/**
 * Errors of fields that the stored object could not keep when it was converted, by its annotations: an update would lose
 * them for good.
 */
function validateUnconverted(
  { spec }: ReplicationController,
  old: ReplicationController,
  { dialect, catalog }: RuleContext,
): FieldError[] {
  const prefix = dialect.spell('non-convertible.orch.io');
  return Object.entries(old.metadata.annotations ?? {}).flatMap(([key, value]) => {
    const [, field, ...rest] = key.split('/');
    if (!key.startsWith(prefix) || field === undefined || rest.length > 0) return [];
    if (!field.includes('selector')) {
      return [new FieldError('notFound', fieldPath(field), value, 'unknown non-convertible field')];
    }
    if (deepEqual(spec.selector, old.spec.selector)) return [];
    const detail = 'cannot update non-convertible selector';
    return [
      invalidValue(
        specPath.child('selector'),
        renderGo(spec.selector, 'map<string,string>', catalog),
        detail,
      ),
    ];
  });
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
  validateUpdate: (object, old, context) => [
    ...validate(object, context),
    ...validateUnconverted(object, old, context),
  ],
  status: {
    validateUpdate({ status }) {
      const errors: FieldError[] = [];
      checkCounters(errors, status, countedFields, statusPath);
      checkReplicaCounts(errors, status, boundedFields, statusPath);
      return errors;
    },
  },
};
