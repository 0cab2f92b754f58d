import { type FieldError, fieldPath } from '../../machinery/errors/index.ts';
import {
  checkCounters,
  checkReplicaCounts,
  checkReplicatedTemplate,
  dropGatedPodFields,
} from '../core/pod-spec/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { ReplicaSet } from '../types/apps-v1.ts';
import { nameIsDnsSubdomain } from '../validation/index.ts';
import { checkSameSelector, checkSelector } from './selector.ts';

const specPath = fieldPath('spec');
const selectorPath = specPath.child('selector');
const statusPath = fieldPath('status');
/** Release 1.20 says `deployment` here too. */
const selectorTexts = {
  empty: 'empty selector is invalid for deployment',
  unreadable: 'invalid label selector',
};
const countedFields = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
];
const boundedFields = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

function validate({ spec }: ReplicaSet, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  checkCounters(errors, spec, ['replicas', 'minReadySeconds'], specPath);
  const selector = checkSelector(errors, spec.selector ?? undefined, selectorPath, selectorTexts, context);
  if (selector) {
    const options = { selector, replicas: spec.replicas ?? 0, owner: 'ReplicaSet', context } as const;
    checkReplicatedTemplate(errors, spec.template, specPath.child('template'), options);
  }
  return errors;
}

/** Rules of replica sets. */
export const replicaSetRules: KindRules<ReplicaSet> = {
  validateName: nameIsDnsSubdomain,
  hasGeneration: true,
  hasStatus: true,
  prepareForCreate: ({ spec }, context) => dropGatedPodFields(spec.template, undefined, context),
  validate,
  prepareForUpdate: (object, old, context) =>
    dropGatedPodFields(object.spec.template, old.spec.template, context),
  validateUpdate: (object, old, context) => [
    ...validate(object, context),
    ...checkSameSelector(object.spec.selector, old.spec.selector, selectorPath, context),
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
