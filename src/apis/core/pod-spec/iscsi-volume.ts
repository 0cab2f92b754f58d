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
  checkIscsi(errors, source, path, 'must be valid format');
  if (source.initiatorName === undefined) return;
  if (Buffer.byteLength(`${volumeName}:${source.targetPortal}`) <= maxPortalTextBytes) return;
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  errors.push(invalidValue(path.child('targetportal'), source.targetPortal, detail));
}

/** Errors of an iSCSI disk; `unknownName` says that a qualified name is of no known kind. */
export function checkIscsi(
  errors: FieldError[],
  source: Omit<ISCSIVolumeSource, 'secretRef'> & { readonly secretRef?: object | undefined },
  path: FieldPath,
  unknownName = 'must be valid format starting with iqn, eui, or naa',
): void {
  if (source.targetPortal === '') errors.push(required(path.child('targetPortal')));
  if (source.iqn === '') errors.push(required(path.child('iqn')));
  else checkQualifiedName(errors, source.iqn, path.child('iqn'), unknownName);
  reportInvalid(errors, path.child('lun'), source.lun, isInRange(source.lun, 0, 255));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) {
    errors.push(required(path.child('secretRef')));
  }
  if (source.initiatorName !== undefined) {
    checkQualifiedName(errors, source.initiatorName, path.child('initiatorname'), unknownName);
  }
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
