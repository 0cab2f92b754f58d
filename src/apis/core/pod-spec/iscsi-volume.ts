import { type FieldError, type FieldPath, invalidValue, required } from '../../../machinery/errors/index.ts';
import { reportInvalid } from '../../reporting.ts';
import type { FCVolumeSource, ISCSIVolumeSource } from '../../types/core-v1.ts';
import { goStringList, isInRange } from '../../validation/index.ts';

const formats: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.[0-9A-Za-z.-]+:[^,;*&$|\s]+$/,
  eui: /^eui.[0-9A-Za-z]{16}$/,
  naa: /^naa.[0-9A-Za-z]{32}$/,
};

function checkQualifiedName(errors: FieldError[], name: string, path: FieldPath): void {
  const format = formats[name.slice(0, 3)];
  if (format === undefined) {
    errors.push(invalidValue(path, name, 'must be valid format starting with iqn, eui, or naa'));
  } else if (!format.test(name)) errors.push(invalidValue(path, name, 'must be valid format'));
}

/** Errors of an iSCSI disk. */
export function checkIscsi(errors: FieldError[], source: ISCSIVolumeSource, path: FieldPath): void {
  if (source.targetPortal === '') errors.push(required(path.child('targetPortal')));
  if (source.iqn === '') errors.push(required(path.child('iqn')));
  else checkQualifiedName(errors, source.iqn, path.child('iqn'));
  reportInvalid(errors, path.child('lun'), source.lun, isInRange(source.lun, 0, 255));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) {
    errors.push(required(path.child('secretRef')));
  }
  if (source.initiatorName !== undefined) {
    checkQualifiedName(errors, source.initiatorName, path.child('initiatorname'));
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
