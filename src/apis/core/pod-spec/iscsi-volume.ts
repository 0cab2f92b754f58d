import { type FieldError, type FieldPath, invalidValue, required } from '../../../machinery/errors/index.ts';
import { reportInvalid } from '../../reporting.ts';
import type { FCVolumeSource, ISCSIPersistentVolumeSource, ISCSIVolumeSource } from '../../types/core-v1.ts';
import { goStringList, isInRange } from '../../validation/index.ts';

const formats: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.[0-9A-Za-z.-]+:[^,;*&$|\s]+$/,
  eui: /^eui.[0-9A-Za-z]{16}$/,
  naa: /^naa.[0-9A-Za-z]{32}$/,
};

function checkQualifiedName(errors: FieldError[], name: string, path: FieldPath, unknownName: string): void {
  const format = formats[name.slice(0, 3)];
  if (format === undefined) errors.push(invalidValue(path, name, unknownName));
  else if (!format.test(name)) errors.push(invalidValue(path, name, 'must be valid format'));
}

const maxPortalTextBytes = 64;

/** Errors of an iSCSI disk that is a persistent volume; `volumeName` is empty inside other objects. */
export function checkPersistentIscsi(
  errors: FieldError[],
  source: ISCSIPersistentVolumeSource,
  path: FieldPath,
  volumeName: string,
): void {
  checkPortal(errors, source, path);
  if (
    source.initiatorName !== undefined &&
    Buffer.byteLength(`${volumeName}:${source.targetPortal}`) > maxPortalTextBytes
  ) {
    const detail =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    errors.push(invalidValue(path.child('targetportal'), source.targetPortal, detail));
  }
  checkTarget(errors, source, path, 'must be valid format');
  if (source.secretRef && !source.secretRef.name) errors.push(required(path.child('secretRef', 'name')));
  checkInitiator(errors, source, path, 'must be valid format');
}

/** Errors of an iSCSI disk that a pod names. */
export function checkIscsi(errors: FieldError[], source: ISCSIVolumeSource, path: FieldPath): void {
  const unknownName = 'must be valid format starting with iqn, eui, or naa';
  checkPortal(errors, source, path);
  checkTarget(errors, source, path, unknownName);
  checkInitiator(errors, source, path, unknownName);
}

/** An iSCSI disk in a pod or as a persistent volume; their secrets differ. */
type IscsiDisk = ISCSIVolumeSource | ISCSIPersistentVolumeSource;

function checkPortal(errors: FieldError[], { targetPortal }: IscsiDisk, path: FieldPath): void {
  if (targetPortal === '') errors.push(required(path.child('targetPortal')));
}

/** `unknownName` says that a qualified name is of no known kind. */
function checkTarget(errors: FieldError[], source: IscsiDisk, path: FieldPath, unknownName: string): void {
  if (source.iqn === '') errors.push(required(path.child('iqn')));
  else checkQualifiedName(errors, source.iqn, path.child('iqn'), unknownName);
  reportInvalid(errors, path.child('lun'), source.lun, isInRange(source.lun, 0, 255));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) {
    errors.push(required(path.child('secretRef')));
  }
}

function checkInitiator(
  errors: FieldError[],
  { initiatorName }: IscsiDisk,
  path: FieldPath,
  unknownName: string,
): void {
  if (initiatorName === undefined) return;
  checkQualifiedName(errors, initiatorName, path.child('initiatorname'), unknownName);
}

/** Errors of a Fibre Channel disk. */
export function checkFibreChannel(errors: FieldError[], source: FCVolumeSource, path: FieldPath): void {
  const { targetWWNs = [], wwids = [], lun } = source;
  const at = path.child('targetWWNs');
  if (targetWWNs.length === 0) {
    if (wwids.length > 0) return;
    errors.push(required(at, 'must specify either targetWWNs or wwids, but not both'));
    return;
  }
  if (wwids.length > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously';
    errors.push(invalidValue(at, goStringList(targetWWNs), detail));
  }
  if (lun === undefined) {
    errors.push(required(path.child('lun'), 'lun is required if targetWWNs is specified'));
  } else reportInvalid(errors, path.child('lun'), lun, isInRange(lun, 0, 255));
}
