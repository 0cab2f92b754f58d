import { ownData } from '../../../base/index.ts';
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/errors/index.ts';
import { parseQuantity, quantitySign } from '../../../machinery/values/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  SecretVolumeSource,
  Volume,
} from '../../types/core-v1.ts';
import { rangeMessage } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };
import { checkEphemeralVolume } from './claim-template.ts';
import { checkFibreChannel, checkIscsi } from './iscsi-volume.ts';
import { checkDescendingPath, checkNoBacksteps } from './local-paths.ts';
import { checkProjectedVolume } from './projected-volume.ts';
import {
  checkAzureDisk,
  checkFlexOptions,
  checkFlocker,
  checkInlineCsi,
  checkQuobyte,
  checkStorageOs,
} from './vendor-volumes.ts';
import { checkDownwardFile, checkFileMode, checkKeyToPath } from './volume-files.ts';
import data from './volume-sources.json' with { type: 'json' };

type SourceName = Exclude<keyof Volume, 'name'>;
type SourceCheck = (errors: FieldError[], volume: Volume, path: FieldPath, context: RuleContext) => void;

/** Volume sources in the order in which release 1.20 looks at them. */
// The data lists exactly the sources of a volume; a unit test holds it to that.
export const sourceNames = ownData<readonly SourceName[]>(data.order);

const shownWhole: Readonly<Record<string, string>> = data.shownWhole;
const shownInside: Readonly<Record<string, string>> = data.shownInside;

/** Path of a source in errors about it as a whole. Release 1.20's paths are not always the fields' names. */
export const wholeSourcePath = (name: string, path: FieldPath): FieldPath =>
  path.child(shownWhole[name] ?? name);

/** Path of a source in errors about its fields. */
export const insideSourcePath = (name: string, path: FieldPath): FieldPath =>
  path.child(shownInside[name] ?? name);

const requiredFields: Readonly<Record<string, readonly string[]>> = data.required;

function checkRequired(errors: FieldError[], name: SourceName, source: object, path: FieldPath): void {
  const values = new Map<string, unknown>(Object.entries(source));
  for (const field of requiredFields[name] ?? []) {
    const value = values.get(field);
    const isList = Array.isArray(value) && value.length > 0;
    if (!isList && (typeof value !== 'string' || value === '')) errors.push(required(path.child(field)));
  }
}

/** Makes the check of a source: its required fields, then what else must hold. */
function check<N extends SourceName>(
  name: N,
  more?: (
    errors: FieldError[],
    source: NonNullable<Volume[N]>,
    path: FieldPath,
    context: RuleContext,
  ) => void,
): SourceCheck {
  const hasRequired = requiredFields[name] !== undefined;
  return (errors, volume, path, context) => {
    const source = volume[name];
    if (!source) return;
    if (hasRequired) checkRequired(errors, name, source, path);
    more?.(errors, source, path, context);
  };
}

/** The check of each volume source. */
export const sourceChecks: Readonly<Record<SourceName, SourceCheck>> = {
  emptyDir: check('emptyDir', checkEmptyDir),
  hostPath: check('hostPath', checkHostPath),
  gitRepo: check('gitRepo', (errors, source, path) =>
    checkDescendingPath(errors, source.directory ?? '', path.child('directory')),
  ),
  gcePersistentDisk: check('gcePersistentDisk', checkPartition),
  awsElasticBlockStore: check('awsElasticBlockStore', checkPartition),
  secret: check('secret', checkKeyFiles),
  nfs: check('nfs', checkNfs),
  iscsi: check('iscsi', (errors, source, path) => checkIscsi(errors, source, path)),
  glusterfs: check('glusterfs'),
  flocker: check('flocker', checkFlocker),
  persistentVolumeClaim: check('persistentVolumeClaim'),
  rbd: check('rbd'),
  cinder: check('cinder', (errors, source, path) => {
    if (source.secretRef && !source.secretRef.name) errors.push(required(path.child('secretRef', 'name')));
  }),
  cephfs: check('cephfs'),
  quobyte: check('quobyte', checkQuobyte),
  downwardAPI: check('downwardAPI', checkDownward),
  fc: check('fc', checkFibreChannel),
  flexVolume: check('flexVolume', checkFlexOptions),
  configMap: check('configMap', checkKeyFiles),
  azureFile: check('azureFile'),
  vsphereVolume: check('vsphereVolume'),
  photonPersistentDisk: check('photonPersistentDisk'),
  portworxVolume: check('portworxVolume'),
  azureDisk: check('azureDisk', checkAzureDisk),
  storageos: check('storageos', checkStorageOs),
  projected: check('projected', checkProjectedVolume),
  scaleIO: check('scaleIO'),
  csi: check('csi', checkInlineCsi),
  ephemeral: check('ephemeral', checkEphemeralVolume),
};

function checkEmptyDir(errors: FieldError[], source: EmptyDirVolumeSource, path: FieldPath): void {
  if (source.sizeLimit === undefined || quantitySign(parseQuantity(source.sizeLimit)) >= 0) return;
  const detail = 'SizeLimit field must be a valid resource quantity';
  errors.push(forbiddenField(path.child('sizeLimit'), detail));
}

function checkHostPath(errors: FieldError[], source: HostPathVolumeSource, path: FieldPath): void {
  if (source.path === '') return;
  checkNoBacksteps(errors, source.path, path.child('path'));
  const { type } = source;
  if (type !== undefined && !allowed.hostPathType.includes(type)) {
    errors.push(notSupported(path.child('type'), type, allowed.hostPathType));
  }
}

function checkPartition(
  errors: FieldError[],
  source: { partition?: number | undefined },
  path: FieldPath,
): void {
  const { partition = 0 } = source;
  // The text says 1 although 0, no partition, is fine: so does release 1.20.
  if (partition < 0 || partition > 255) {
    errors.push(invalidValue(path.child('partition'), partition, rangeMessage(1, 255)));
  }
}

function checkNfs(errors: FieldError[], source: NFSVolumeSource, path: FieldPath): void {
  if (!source.path.startsWith('/')) {
    errors.push(invalidValue(path.child('path'), source.path, 'must be an absolute path'));
  }
}

function checkKeyFiles(
  errors: FieldError[],
  source: SecretVolumeSource | ConfigMapVolumeSource,
  path: FieldPath,
): void {
  checkFileMode(errors, source.defaultMode, path.child('defaultMode'));
  for (const [position, item] of (source.items ?? []).entries()) {
    checkKeyToPath(errors, item, path.child('items').index(position));
  }
}

function checkDownward(
  errors: FieldError[],
  source: DownwardAPIVolumeSource,
  path: FieldPath,
  context: RuleContext,
): void {
  checkFileMode(errors, source.defaultMode, path.child('defaultMode'));
  for (const file of source.items ?? []) checkDownwardFile(errors, file, path, context);
}
