import { addAll } from '../../base/index.ts';
import { type FieldError, fieldPath } from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { CSIStorageCapacity } from '../types/storage-v1alpha1.ts';
import {
  isDns1123Subdomain,
  nameIsDnsSubdomain,
  renderGo,
  validateImmutableField,
  validateLabelSelector,
  validateNonNegativeQuantity,
} from '../validation/index.ts';

const classPath = fieldPath('storageClassName');
const topologyPath = fieldPath('nodeTopology');

/** How much storage of a class is left where. Class and place stay, the amount changes. */
export const csiStorageCapacityRules: KindRules<CSIStorageCapacity> = {
  allowsUnconditionalUpdate: false,
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  validate: validateCapacity,
  validateUpdate: (capacity, old, context) => [
    ...validateCapacity(capacity),
    ...validateKeptFields(capacity, old, context),
  ],
};

function validateCapacity({ storageClassName, nodeTopology, capacity }: CSIStorageCapacity): FieldError[] {
  const errors: FieldError[] = [];
  reportInvalid(errors, classPath, storageClassName, isDns1123Subdomain(storageClassName));
  if (capacity !== undefined) errors.push(...validateNonNegativeQuantity(capacity, fieldPath('capacity')));
  addAll(errors, validateLabelSelector(nodeTopology, topologyPath));
  return errors;
}

function validateKeptFields(
  capacity: CSIStorageCapacity,
  old: CSIStorageCapacity,
  { catalog }: RuleContext,
): FieldError[] {
  const show = (value: unknown) => renderGo(value, 'meta.orch.io/v1.LabelSelector', catalog);
  return [
    ...validateImmutableField(capacity.nodeTopology, old.nodeTopology, topologyPath, show),
    ...validateImmutableField(capacity.storageClassName, old.storageClassName, classPath),
  ];
}
