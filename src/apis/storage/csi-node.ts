import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import { checkCsiDriverName } from '../core/pod-spec/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { CSINode, CSINodeDriver } from '../types/storage-v1.ts';
import {
  deepEqual,
  goStringList,
  isQualifiedName,
  nameIsDnsSubdomain,
  renderGo,
  validateNonNegative,
} from '../validation/index.ts';

const driversPath = fieldPath('spec', 'drivers');
const maxNodeIdBytes = 128;

/** The storage drivers of a node. A driver's entry is made once and removed once, never changed. */
export const csiNodeRules: KindRules<CSINode> = {
  allowsUnconditionalUpdate: false,
  isCheckedTwice: true,
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  validate: validateCsiNode,
  validateUpdate: (node, old, context) => [
    ...validateCsiNode(node),
    ...validateKeptDrivers(node, old, context),
  ],
};

function validateCsiNode({ spec }: CSINode): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, driver] of (spec.drivers ?? []).entries()) {
    validateDriver(errors, driver, driversPath.index(at), names);
  }
  return errors;
}

function validateDriver(
  errors: FieldError[],
  { name, nodeID, allocatable, topologyKeys }: CSINodeDriver,
  path: FieldPath,
  names: Set<string>,
): void {
  checkCsiDriverName(errors, name, path.child('name'));
  if (nodeID === '') errors.push(required(path.child('nodeID')));
  if (Buffer.byteLength(nodeID) > maxNodeIdBytes) {
    errors.push(invalidValue(path.child('nodeID'), nodeID, `must be ${maxNodeIdBytes} characters or less`));
  }
  const count = allocatable?.count;
  if (count !== undefined) errors.push(...validateNonNegative(count, path.child('allocatable', 'count')));
  if (names.has(name)) errors.push(duplicate(path.child('name'), name));
  names.add(name);
  const shown = goStringList(topologyKeys);
  const keys = new Set<string>();
  for (const key of topologyKeys ?? []) {
    if (key === '') errors.push(required(path, key));
    if (keys.has(key)) errors.push(duplicate(path, key));
    keys.add(key);
    reportInvalid(errors, path, shown, isQualifiedName(key));
  }
}

function validateKeptDrivers(node: CSINode, old: CSINode, { catalog }: RuleContext): FieldError[] {
  const byName = Map.groupBy(node.spec.drivers ?? [], ({ name }) => name);
  const changed = (old.spec.drivers ?? []).flatMap((known) =>
    (byName.get(known.name) ?? []).filter((driver) => !deepEqual(driver, known)),
  );
  return changed.map((driver) => {
    const shown = renderGo(driver, 'storage.orch.io/v1.CSINodeDriver', catalog);
    return invalidValue(fieldPath('CSINodeDriver'), shown, 'field is immutable');
  });
}
