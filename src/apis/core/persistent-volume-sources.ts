import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type {
  CSIPersistentVolumeSource,
  PersistentVolumeSpec,
  SecretReference,
  StorageOSPersistentVolumeSource,
  Volume,
} from '../types/core-v1.ts';
import { isDns1123Label } from '../validation/index.ts';
import {
  checkCsiDriverName,
  checkPersistentIscsi,
  insideSourcePath,
  sourceChecks,
  wholeSourcePath,
} from './pod-spec/index.ts';

/** Sources of persistent volumes in the order in which release 1.20 looks at them. */
export const persistentSources = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;

/** What the check of a source must know beside the source. */
export interface PersistentSourceOptions {
  /** Empty for a volume inside another object. */
  readonly volumeName: string;
  readonly context: RuleContext;
}

/** Adds the errors of the source of a persistent volume; there must be exactly one. */
export function validatePersistentSource(
  errors: FieldError[],
  spec: PersistentVolumeSpec,
  path: FieldPath,
  { volumeName, context }: PersistentSourceOptions,
): void {
  let count = 0;
  for (const name of persistentSources) {
    if (spec[name] === undefined) continue;
    count += 1;
    // Release 1.20 looks inside a flexible volume even when there is another source.
    if (count > 1 && name !== 'flexVolume') {
      errors.push(forbiddenField(wholeSourcePath(name, path), 'may not specify more than 1 volume type'));
    } else {
      validateSource(errors, spec, name, insideSourcePath(name, path), { volumeName, context });
      if (name === 'local' && spec.nodeAffinity === undefined) {
        errors.push(required(path.child('nodeAffinity'), 'Local volume requires node affinity'));
      }
    }
  }
  if (count === 0) errors.push(required(path, 'must specify a volume type'));
}

function validateSource(
  errors: FieldError[],
  spec: PersistentVolumeSpec,
  name: (typeof persistentSources)[number],
  path: FieldPath,
  { volumeName, context }: PersistentSourceOptions,
): void {
  switch (name) {
    case 'iscsi':
      if (spec.iscsi) checkPersistentIscsi(errors, spec.iscsi, path, volumeName);
      return;
    case 'local':
      validateLocalPath(errors, spec.local?.path ?? '', path.child('path'));
      return;
    case 'storageos':
      if (spec.storageos) validateStorageOs(errors, spec.storageos, path);
      return;
    case 'csi':
      if (spec.csi) validateCsi(errors, spec.csi, path);
      return;
    case 'cinder':
      if (!spec.cinder?.volumeID) errors.push(required(path.child('volumeID')));
      if (spec.cinder?.secretRef) validateSecret(errors, spec.cinder.secretRef, path.child('secretRef'));
      return;
  }
  // What pods name inline has the same fields, but for secrets, which have a namespace here.
  const volume = { name: '', [name]: spec[name] } as Volume;
  sourceChecks[name](errors, volume, path, context);
  if (name === 'azureFile' && spec.azureFile?.secretNamespace === '') {
    errors.push(required(path.child('secretNamespace')));
  }
  if (name === 'glusterfs') validateGlusterNamespace(errors, spec, path);
}

function validateLocalPath(errors: FieldError[], text: string, path: FieldPath): void {
  if (text === '') errors.push(required(path));
  else if (text.split('/').includes('..')) errors.push(invalidValue(path, text, "must not contain '..'"));
}

function validateGlusterNamespace(errors: FieldError[], spec: PersistentVolumeSpec, path: FieldPath): void {
  const namespace = spec.glusterfs?.endpointsNamespace;
  if (namespace === undefined) return;
  const at = path.child('endpointsNamespace');
  if (namespace === '') {
    errors.push(
      invalidValue(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name'),
    );
  } else reportInvalid(errors, at, namespace, isDns1123Label(namespace));
}

function validateStorageOs(
  errors: FieldError[],
  source: StorageOSPersistentVolumeSource,
  path: FieldPath,
): void {
  const { volumeName = '', volumeNamespace = '', secretRef } = source;
  if (volumeName === '') errors.push(required(path.child('volumeName')));
  else reportInvalid(errors, path.child('volumeName'), volumeName, isDns1123Label(volumeName));
  if (volumeNamespace !== '') {
    reportInvalid(errors, path.child('volumeNamespace'), volumeNamespace, isDns1123Label(volumeNamespace));
  }
  if (secretRef !== undefined) validateSecret(errors, secretRef, path.child('secretRef'));
}

/** Errors of a storage driver's volume. */
export function validateCsi(errors: FieldError[], source: CSIPersistentVolumeSource, path: FieldPath): void {
  checkCsiDriverName(errors, source.driver, path.child('driver'));
  if (source.volumeHandle === '') errors.push(required(path.child('volumeHandle')));
  for (const field of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
  ] as const) {
    const reference = source[field];
    if (reference === undefined) continue;
    const { name = '', namespace = '' } = reference;
    // Release 1.20 has a space in one of the paths, and reports wrong names beside the source's fields.
    const shown = field === 'nodePublishSecretRef' ? `${field} ` : field;
    if (name === '') errors.push(required(path.child(shown, 'name')));
    else reportInvalid(errors, path.child('name'), name, isDns1123Label(name));
    if (namespace === '') errors.push(required(path.child(shown, 'namespace')));
    else reportInvalid(errors, path.child('namespace'), namespace, isDns1123Label(namespace));
  }
}

function validateSecret(errors: FieldError[], reference: SecretReference, path: FieldPath): void {
  if (!reference.name) errors.push(required(path.child('name')));
  if (!reference.namespace) errors.push(required(path.child('namespace')));
}
