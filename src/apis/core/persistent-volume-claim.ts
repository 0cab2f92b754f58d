import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, fieldPath, forbiddenField, invalidValue } from '../../machinery/errors/index.ts';
import {
  compareQuantities,
  integerQuantity,
  parseQuantity,
  type Quantity,
  wrappedQuantityValue,
} from '../../machinery/values/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../types/core-v1.ts';
import { deepEqual, nameIsDnsSubdomain, validateImmutableField } from '../validation/index.ts';
import { validateClaimSpec } from './pod-spec/index.ts';
import { describeDifference } from './spec-difference.ts';

const specPath = fieldPath('spec');

/** Claims of storage: nearly nothing changes once a claim is made, but a bound claim may ask for more. */
export const persistentVolumeClaimRules: KindRules<PersistentVolumeClaim> = {
  hasStatus: true,
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  prepareForCreate(claim, context) {
    claim.status = {};
    dropDataSource(claim.spec, undefined, context);
  },
  prepareForUpdate(claim, old, context) {
    claim.status = old.status;
    dropDataSource(claim.spec, old.spec, context);
  },
  validate: ({ spec }) => validateClaimSpec(spec, specPath),
  validateUpdate: (claim, old, context) => [
    ...validateClaimSpec(claim.spec, specPath),
    ...validateClaimChange(claim, old, context),
  ],
  status: {
    prepareForUpdate(claim, old) {
      claim.spec = old.spec;
    },
    validateUpdate: validateStatus,
  },
};

/** Without its gate, only claims and snapshots can fill a new volume; other sources are dropped in silence. */
function dropDataSource(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec | undefined,
  { dialect, gates }: RuleContext,
): void {
  const source = spec.dataSource;
  if (source === undefined || old?.dataSource !== undefined || gates.has('AnyVolumeDataSource')) return;
  const group = source.apiGroup ?? '';
  const isClaim = source.kind === 'PersistentVolumeClaim' && group === '';
  const isSnapshot = source.kind === 'VolumeSnapshot' && group === dialect.spell('snapshot.storage.orch.io');
  if (!isClaim && !isSnapshot) delete spec.dataSource;
}

function validateClaimChange(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { dialect, gates }: RuleContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const mayGrow = gates.has('ExpandPersistentVolumes');
  const spec = { ...claim.spec };
  const oldSpec = { ...old.spec };
  if (!oldSpec.volumeName) oldSpec.volumeName = spec.volumeName;
  if (movesClassToField(claim, old, dialect)) spec.storageClassName = oldSpec.storageClassName;
  else errors.push(...validateClassAnnotation(claim, old, dialect));
  if (mayGrow && claim.status.phase === 'Bound' && spec.resources.requests !== undefined) {
    const size = old.spec.resources.requests?.storage ?? '0';
    spec.resources = { ...spec.resources, requests: { ...spec.resources.requests, storage: size } };
  }
  if (!deepEqual(spec, oldSpec)) {
    const rule = mayGrow
      ? 'spec is immutable after creation except resources.requests for bound claims'
      : 'field is immutable after creation';
    errors.push(forbiddenField(specPath, `${rule}\n${describeDifference(spec, oldSpec)}`));
  }
  if (mayGrow && compareQuantities(sizeOf(claim), sizeOf(old)) < 0) {
    const path = specPath.child('resources', 'requests', 'storage');
    errors.push(forbiddenField(path, 'field can not be less than previous value'));
  }
  const modePath = fieldPath('volumeMode');
  return [...errors, ...validateImmutableField(claim.spec.volumeMode, old.spec.volumeMode, modePath)];
}

const sizeOf = (claim: PersistentVolumeClaim): Quantity => {
  const text = claim.spec.resources.requests?.storage;
  return text === undefined ? integerQuantity(0) : parseQuantity(text);
};

const classAnnotation = (claim: PersistentVolumeClaim, key: string): string =>
  claim.metadata.annotations?.[key] ?? '';

/** A class that was named in the older annotation may move to the field once. */
function movesClassToField(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  dialect: Dialect,
): boolean {
  if (old.metadata.annotations === undefined) return false;
  const key = dialect.spell('volume.beta.orch.io/storage-class');
  const before = old.metadata.annotations[key];
  const after = claim.metadata.annotations?.[key];
  return (
    before !== undefined &&
    (after === undefined || after === before) &&
    old.spec.storageClassName === undefined &&
    claim.spec.storageClassName === before
  );
}

function validateClassAnnotation(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  dialect: Dialect,
): FieldError[] {
  if (claim.metadata.annotations === undefined && old.metadata.annotations === undefined) return [];
  const key = dialect.spell('volume.beta.orch.io/storage-class');
  const value = classAnnotation(claim, key);
  if (value === classAnnotation(old, key)) return [];
  return [invalidValue(fieldPath('metadata', 'annotations', key), value, 'field is immutable')];
}

function validateStatus({ status }: PersistentVolumeClaim): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, text] of Object.entries(status.capacity ?? {})) {
    const value = wrappedQuantityValue(parseQuantity(text));
    if (value >= 0n) continue;
    const path = fieldPath('status', 'capacity').key(name);
    errors.push(invalidValue(path, value, 'must be a valid resource quantity'));
  }
  return errors;
}
