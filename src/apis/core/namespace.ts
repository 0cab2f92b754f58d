import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Namespace } from '../types/core-v1.ts';
import {
  nameIsDnsLabel,
  standardFinalizers,
  validateFinalizerName,
  validateStandardFinalizer,
} from '../validation/index.ts';

const finalizersPath = fieldPath('spec', 'finalizers');

/**
 * Namespaces. `spec.finalizers` says who must still clean up before a deleted namespace may go; only the
 * `finalize` subresource changes it.
 */
export const namespaceRules: KindRules<Namespace> = {
  hasStatus: true,
  validateName: nameIsDnsLabel,
  prepareForCreate(namespace, { dialect }) {
    namespace.status = { phase: 'Active' };
    const ours = dialect.spell('orch');
    const finalizers = namespace.spec.finalizers ?? [];
    if (!finalizers.includes(ours)) namespace.spec.finalizers = [...finalizers, ours];
  },
  prepareForUpdate(namespace, old) {
    if (old.spec.finalizers === undefined) delete namespace.spec.finalizers;
    else namespace.spec.finalizers = old.spec.finalizers;
    namespace.status = old.status;
  },
  validate(namespace, { dialect }) {
    const standard = standardFinalizers(dialect);
    return (namespace.spec.finalizers ?? []).flatMap((name) => [
      ...validateFinalizerName(name, finalizersPath),
      ...validateStandardFinalizer(name, standard, finalizersPath),
    ]);
  },
  answersDeletion: 'object',
  isReadyToRemove: (namespace) => !namespace.spec.finalizers?.length,
  prepareForDelete(namespace) {
    namespace.status = { ...namespace.status, phase: 'Terminating' };
  },
  status: {
    prepareForUpdate(namespace, old) {
      namespace.spec = old.spec;
    },
    validateUpdate: validatePhase,
  },
  subresources: {
    finalize: {
      prepareForUpdate(namespace, old) {
        namespace.status = old.status;
      },
      validateUpdate: (namespace, _old, { dialect }) => validateFinalizerChange(namespace, dialect),
    },
  },
};

function validatePhase({ metadata, status }: Namespace): FieldError[] {
  const isDeleted = metadata.deletionTimestamp !== undefined && metadata.deletionTimestamp !== null;
  if (status.phase === (isDeleted ? 'Terminating' : 'Active')) return [];
  const detail = isDeleted
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalidValue(fieldPath('status', 'Phase'), status.phase ?? '', detail)];
}

function validateFinalizerChange(namespace: Namespace, dialect: Dialect): FieldError[] {
  const standard = standardFinalizers(dialect);
  return (namespace.spec.finalizers ?? []).flatMap((name, at) => [
    ...validateFinalizerName(name, finalizersPath.index(at)),
    ...validateStandardFinalizer(name, standard, finalizersPath.index(at)),
  ]);
}
