import { type FieldError, fieldPath } from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { PodTemplate } from '../types/core-v1.ts';
import { nameIsDnsSubdomain } from '../validation/index.ts';
import { checkPodTemplateSpec, dropGatedPodFields } from './pod-spec/index.ts';

const templatePath = fieldPath('template');

function validate(object: PodTemplate, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  checkPodTemplateSpec(errors, object.template, templatePath, context);
  return errors;
}

/** Rules of stored templates, which no controller of the product uses. */
export const podTemplateRules: KindRules<PodTemplate> = {
  validateName: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  prepareForCreate: (object, context) => dropGatedPodFields(object.template, undefined, context),
  validate,
  prepareForUpdate: (object, old, context) => dropGatedPodFields(object.template, old.template, context),
  validateUpdate: (object, _old, context) => validate(object, context),
};
