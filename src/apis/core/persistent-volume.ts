import type { Dialect } from '../../machinery/dialect.ts';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import { wasGivenEmpty } from '../../machinery/schema/index.ts';
import { parseQuantity, quantitySign, wrappedQuantityValue } from '../../machinery/values/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { PersistentVolume, PersistentVolumeSpec, VolumeNodeAffinity } from '../types/core-v1.ts';
import {
  deepEqual,
  goMap,
  goQuantity,
  nameIsDnsSubdomain,
  renderGo,
  validateImmutableField,
} from '../validation/index.ts';
import {
  type PersistentSourceOptions,
  persistentSources,
  validatePersistentSource,
} from './persistent-volume-sources.ts';
import { accessModes, checkNodeSelector, validateClassAndMode } from './pod-spec/index.ts';
import { describeDifference } from './spec-difference.ts';

const reclaimPolicies: readonly string[] = ['Delete', 'Recycle', 'Retain'];
const specPath = fieldPath('spec');

/** Persistent volumes: one source, which stays. */
export const persistentVolumeRules: KindRules<PersistentVolume> = {
  hasStatus: true,
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  prepareForCreate(volume, context) {
    volume.status = {};
    dropGrowthSecret(volume.spec, undefined, context);
  },
  prepareForUpdate(volume, old, context) {
    volume.status = old.status;
    dropGrowthSecret(volume.spec, old.spec, context);
  },
  validate: validateVolume,
  validateUpdate: (volume, old, context) => [
    ...validateOwnSpec(volume, context),
    ...validateKeptFields(volume, old, context),
  ],
  status: {
    prepareForUpdate(volume, old) {
      volume.spec = old.spec;
    },
  },
};

/** Without its gate no volume gets a secret for its growth; one that has it keeps it. */
function dropGrowthSecret(
  { csi }: PersistentVolumeSpec,
  old: PersistentVolumeSpec | undefined,
  { gates }: RuleContext,
): void {
  if (gates.has('ExpandCSIVolumes') || old?.csi?.controllerExpandSecretRef !== undefined) return;
  delete csi?.controllerExpandSecretRef;
}

function validateVolume(volume: PersistentVolume, context: RuleContext): FieldError[] {
  return [...validateOwnSpec(volume, context), ...validateMountOptions(volume, context.dialect)];
}

const validateOwnSpec = ({ metadata, spec }: PersistentVolume, context: RuleContext): FieldError[] =>
  validatePersistentVolumeSpec(spec, specPath, { volumeName: metadata.name ?? '', context });

function validatePersistentVolumeSpec(
  spec: PersistentVolumeSpec,
  path: FieldPath,
  options: PersistentSourceOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  validateAccessModes(errors, spec, path);
  validateCapacity(errors, spec, path.child('capacity'));
  const policy = spec.persistentVolumeReclaimPolicy;
  if (policy && !reclaimPolicies.includes(policy)) {
    errors.push(notSupported(path.child('persistentVolumeReclaimPolicy'), policy, reclaimPolicies));
  }
  const { nodeAffinity } = spec;
  if (nodeAffinity !== undefined) validateNodeAffinity(errors, nodeAffinity, path.child('nodeAffinity'));
  validateSource(errors, spec, path, options);
  validateClassAndMode(errors, spec, path);
  return errors;
}

const notInline = 'may not be specified in the context of inline volumes';

/** Errors of the spec of a volume that was named inside a pod: only what its driver needs. */
export function validateInlineVolumeSpec(
  spec: PersistentVolumeSpec,
  path: FieldPath,
  context: RuleContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (field: string, detail = notInline) =>
    errors.push(forbiddenField(path.child(field), detail));
  const { nodeAffinity, ...others } = spec;
  const { persistentVolumeReclaimPolicy: policy, volumeMode } = spec;
  if (spec.claimRef !== undefined) forbid('claimRef');
  if (Object.keys(spec.capacity ?? {}).length > 0) forbid('capacity');
  if (spec.csi === undefined) {
    errors.push(required(path.child('csi'), 'has to be specified in the context of inline volumes'));
  }
  validateAccessModes(errors, spec, path);
  if (policy && policy !== 'Retain') {
    forbid('persistentVolumeReclaimPolicy', 'may only be Retain in the context of inline volumes');
  }
  if (nodeAffinity !== undefined) forbid('nodeAffinity');
  // An affinity that is not allowed counts as none.
  validateSource(errors, others, path, { volumeName: '', context });
  if (spec.storageClassName) forbid('storageClassName');
  if (volumeMode !== undefined && volumeMode !== 'Filesystem') {
    forbid('volumeMode', 'may not specify volumeMode other than Filesystem in the context of inline volumes');
  }
  return errors;
}

function validateAccessModes(errors: FieldError[], spec: PersistentVolumeSpec, path: FieldPath): void {
  const modesPath = path.child('accessModes');
  if (!spec.accessModes?.length) errors.push(required(modesPath));
  for (const mode of spec.accessModes ?? []) {
    if (!accessModes.includes(mode)) errors.push(notSupported(modesPath, mode, accessModes));
  }
}

function validateSource(
  errors: FieldError[],
  spec: PersistentVolumeSpec,
  path: FieldPath,
  options: PersistentSourceOptions,
): void {
  validatePersistentSource(errors, spec, path, options);
  const policy = spec.persistentVolumeReclaimPolicy;
  if (policy !== 'Recycle' || spec.hostPath === undefined || !isRoot(spec.hostPath.path)) return;
  const policyPath = path.child('persistentVolumeReclaimPolicy');
  errors.push(forbiddenField(policyPath, "may not be 'recycle' for a hostPath mount of '/'"));
}

function validateCapacity(
  errors: FieldError[],
  spec: Pick<PersistentVolumeSpec, 'capacity'>,
  path: FieldPath,
): void {
  const { capacity = {} } = spec;
  const names = Object.keys(capacity);
  if (names.length === 0) errors.push(required(path));
  if (capacity.storage === undefined || names.length > 1) {
    errors.push(notSupported(path, showCapacity(spec), ['storage']));
  }
  for (const [name, text] of Object.entries(capacity)) {
    const at = path.key(name);
    const quantity = parseQuantity(text);
    const value = wrappedQuantityValue(quantity);
    if (value < 0n) errors.push(invalidValue(at, value, 'must be a valid resource quantity'));
    if (quantitySign(quantity) <= 0) errors.push(invalidValue(at, text, 'must be greater than zero'));
  }
}

/** Release 1.20's form of a map of quantities, keyed by its own type of names. */
const showCapacity = (spec: Pick<PersistentVolumeSpec, 'capacity'>): VerbatimValue => {
  const entries = Object.entries(spec.capacity ?? {}).map(([name, text]): [string, string] => [
    name,
    goQuantity(text).text,
  ]);
  if (entries.length === 0)
    return new VerbatimValue(`core.ResourceList${wasGivenEmpty(spec, 'capacity') ? '{}' : '(nil)'}`);
  return new VerbatimValue(
    goMap('resource.Quantity', entries).replace('map[string]resource.Quantity', 'core.ResourceList'),
  );
};

function validateNodeAffinity(errors: FieldError[], affinity: VolumeNodeAffinity, path: FieldPath): void {
  if (affinity.required === undefined) {
    errors.push(required(path.child('required'), 'must specify required node constraints'));
  } else checkNodeSelector(errors, affinity.required, path.child('required'));
}

/** True for a path that leads to the root of a file system, be it by `..`. */
function isRoot(path: string): boolean {
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth = Math.max(0, depth - 1);
    else if (part !== '' && part !== '.') depth += 1;
  }
  return path.startsWith('/') && depth === 0;
}

/** Sources whose mounts take options. */
const mountableSources = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;

function validateMountOptions({ metadata, spec }: PersistentVolume, dialect: Dialect): FieldError[] {
  if (metadata.annotations === undefined) return [];
  const key = dialect.spell('volume.beta.orch.io/mount-options');
  if (metadata.annotations[key] === undefined) return [];
  if (mountableSources.some((source) => spec[source] !== undefined)) return [];
  const path = fieldPath('metadata', 'annotations', key);
  return [forbiddenField(path, 'may not specify mount options for this volume type')];
}

function validateKeptFields(
  { spec }: PersistentVolume,
  { spec: old }: PersistentVolume,
  { catalog }: RuleContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const [source, oldSource] = [sourceOf(spec, old), sourceOf(old, old)];
  if (!deepEqual(source, oldSource)) {
    const difference = describeDifference(source, oldSource);
    const detail = `spec.persistentvolumesource is immutable after creation\n${difference}`;
    errors.push(forbiddenField(specPath.child('persistentvolumesource'), detail));
  }
  errors.push(...validateImmutableField(spec.volumeMode, old.volumeMode, fieldPath('volumeMode')));
  if (old.nodeAffinity !== undefined) {
    const show = (value: unknown) => value && renderGo(value, 'v1.VolumeNodeAffinity', catalog);
    errors.push(
      ...validateImmutableField(spec.nodeAffinity, old.nodeAffinity, fieldPath('nodeAffinity'), show),
    );
  }
  return errors;
}

/** The source alone. The secret for growing a volume may be added later, so it does not count then. */
function sourceOf(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): Record<string, unknown> {
  const source: Record<string, unknown> = {};
  for (const name of persistentSources) if (spec[name] !== undefined) source[name] = spec[name];
  if (spec.csi !== undefined && old.csi !== undefined && old.csi.controllerExpandSecretRef === undefined) {
    source.csi = { ...spec.csi, controllerExpandSecretRef: undefined };
  }
  return source;
}
