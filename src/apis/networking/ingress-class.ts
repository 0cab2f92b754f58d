import { type FieldError, fieldPath, invalidValue, required, tooLong } from '../../machinery/errors/index.ts';
import type { KindRules } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { IngressClass } from '../types/networking-v1beta1.ts';
import {
  isDns1123Subdomain,
  isLongerThan,
  nameIsDnsSubdomain,
  regexMessage,
  validateImmutableField,
} from '../validation/index.ts';
import { validateReference } from './ingress-backend.ts';

const maxControllerBytes = 250;
const controllerPath = fieldPath('spec', 'controller');
const urlPathSource = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const urlPath = new RegExp(`^${urlPathSource}$`);

/** Ingress classes: which controller serves them, for good. */
export const ingressClassRules: KindRules<IngressClass> = {
  hasGeneration: true,
  validateName: nameIsDnsSubdomain,
  validate: validateClass,
  validateKept: (ingressClass, old) =>
    validateImmutableField(ingressClass.spec.controller ?? '', old.spec.controller ?? '', controllerPath),
  validateUpdate: validateClass,
};

function validateClass({ spec }: IngressClass): FieldError[] {
  const errors: FieldError[] = [];
  const { controller = '', parameters } = spec;
  if (isLongerThan(controller, maxControllerBytes)) {
    errors.push(tooLong(controllerPath, controller, maxControllerBytes));
  }
  validateController(errors, controller);
  if (parameters !== undefined) validateReference(errors, parameters, fieldPath('spec', 'parameters'));
  return errors;
}

function validateController(errors: FieldError[], controller: string): void {
  if (controller === '') {
    errors.push(required(controllerPath));
    return;
  }
  const slash = controller.indexOf('/');
  const host = controller.slice(0, Math.max(0, slash));
  const path = controller.slice(slash + 1);
  if (host === '' || path === '') {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    errors.push(invalidValue(controllerPath, controller, detail));
    return;
  }
  reportInvalid(errors, controllerPath, host, isDns1123Subdomain(host));
  if (!urlPath.test(path)) {
    errors.push(invalidValue(controllerPath, path, regexMessage('Invalid path', urlPathSource)));
  }
}
