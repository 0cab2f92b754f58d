import {
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import { reportInvalid } from '../../reporting.ts';
import type {
  AzureDiskVolumeSource,
  CSIVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  QuobyteVolumeSource,
  StorageOSVolumeSource,
} from '../../types/core-v1.ts';
import { isDns1123Label, isDns1123Subdomain, nameIsDnsSubdomain } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };

const maxDriverNameBytes = 63;

/** Errors of an Azure disk, after its required fields. */
export function checkAzureDisk(errors: FieldError[], disk: AzureDiskVolumeSource, path: FieldPath): void {
  const { cachingMode, kind, diskURI } = disk;
  if (cachingMode !== undefined && !allowed.azureCachingMode.includes(cachingMode)) {
    errors.push(notSupported(path.child('cachingMode'), cachingMode, allowed.azureCachingMode));
  }
  if (kind === undefined) return;
  if (!allowed.azureDiskKind.includes(kind)) {
    errors.push(notSupported(path.child('kind'), kind, allowed.azureDiskKind));
  }
  const isManaged = kind === 'Managed';
  if (diskURI.startsWith(isManaged ? '/subscriptions/' : 'https://')) return;
  const forms = isManaged ? allowed.azureManagedDiskUri : allowed.azureBlobDiskUri;
  errors.push(notSupported(path.child('diskURI'), diskURI, forms));
}

/** Errors of a Flocker dataset. */
export function checkFlocker(errors: FieldError[], source: FlockerVolumeSource, path: FieldPath): void {
  const { datasetName, datasetUUID } = source;
  if (!datasetName && !datasetUUID) {
    errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  }
  if (datasetName && datasetUUID) {
    const detail = 'datasetName and datasetUUID can not be specified simultaneously';
    errors.push(invalidValue(path, 'resource', detail));
  }
  if (datasetName?.includes('/')) {
    errors.push(invalidValue(path.child('datasetName'), datasetName, "must not contain '/'"));
  }
}

/** Errors of a Quobyte volume. */
export function checkQuobyte(errors: FieldError[], source: QuobyteVolumeSource, path: FieldPath): void {
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  if (source.registry === '') errors.push(required(path.child('registry'), pairs));
  else if (Buffer.byteLength(source.tenant ?? '') >= 65) {
    const detail = 'must be a UUID and may not exceed a length of 64 characters';
    errors.push(required(path.child('tenant'), detail));
  } else {
    for (const pair of source.registry.split(',')) {
      if (/^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair)) continue;
      errors.push(invalidValue(path.child('registry'), source.registry, pairs));
    }
  }
  if (source.volume === '') errors.push(required(path.child('volume')));
}

/** Errors of a StorageOS volume, after its required fields. */
export function checkStorageOs(errors: FieldError[], source: StorageOSVolumeSource, path: FieldPath): void {
  for (const field of ['volumeName', 'volumeNamespace'] as const) {
    const value = source[field];
    if (value) reportInvalid(errors, path.child(field), value, isDns1123Label(value));
  }
  if (source.secretRef && !source.secretRef.name) errors.push(required(path.child('secretRef', 'name')));
}

/** Errors of options that claim a namespace of the product. */
export function checkFlexOptions(
  errors: FieldError[],
  source: FlexVolumeSource,
  path: FieldPath,
  context: RuleContext,
): void {
  for (const key of Object.keys(source.options ?? {})) {
    const { dialect } = context;
    const labels = dialect.label('').replace('/', '');
    const groups = dialect.group('networking').replace('networking.', '');
    const slash = key.indexOf('/');
    const namespace = `.${(slash < 0 ? key : key.slice(0, slash)).toLowerCase()}`;
    if (!namespace.endsWith(`.${labels}`) && !namespace.endsWith(`.${groups}`)) continue;
    const detail = `${labels} and ${groups} namespaces are reserved`;
    errors.push(invalidValue(path.child('options').key(key), key, detail));
  }
}

/** Errors of a volume of a CSI driver inside a pod. */
export function checkInlineCsi(errors: FieldError[], source: CSIVolumeSource, path: FieldPath): void {
  checkCsiDriverName(errors, source.driver, path.child('driver'));
  if (!source.nodePublishSecretRef) return;
  const { name = '' } = source.nodePublishSecretRef;
  // Both places are release 1.20's, the space as well.
  if (name === '') errors.push(required(path.child('nodePublishSecretRef ', 'name')));
  else reportInvalid(errors, path.child('name'), name, nameIsDnsSubdomain(name, false));
}

/** Errors of the name of a CSI driver. */
export function checkCsiDriverName(errors: FieldError[], name: string, path: FieldPath): void {
  if (name === '') errors.push(required(path));
  if (Buffer.byteLength(name) > maxDriverNameBytes) errors.push(tooLong(path, name, maxDriverNameBytes));
  reportInvalid(errors, path, name, isDns1123Subdomain(name.toLowerCase()));
}
