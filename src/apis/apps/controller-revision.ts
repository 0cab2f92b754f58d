import { type FieldError, fieldPath, required } from '../../machinery/errors/index.ts';
import type { KindRules } from '../kind-rules.ts';
import type { ControllerRevision } from '../types/apps-v1.ts';
import { nameIsDnsSubdomain, validateImmutableField, validateNonNegative } from '../validation/index.ts';

const dataPath = fieldPath('data');
const revisionPath = fieldPath('revision');

/** Rules of the history that controllers keep of their objects. */
export const controllerRevisionRules: KindRules<ControllerRevision> = {
  validateName: nameIsDnsSubdomain,
  validate(object) {
    const errors: FieldError[] = [];
    if (!object.data) errors.push(required(dataPath, 'data is mandatory'));
    errors.push(...validateNonNegative(object.revision, revisionPath));
    return errors;
  },
  validateUpdate: (object, old) => [
    ...validateNonNegative(object.revision, revisionPath),
    ...validateImmutableField(object.data, old.data, dataPath),
  ],
};
