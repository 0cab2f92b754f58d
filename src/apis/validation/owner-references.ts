import {
  type FieldError,
  type FieldPath,
  invalidValue,
  quoteGo,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { OwnerReference } from '../../machinery/meta/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import { goList, goPointer, goStruct } from './go-syntax.ts';

const goType = 'v1.OwnerReference';
/** Each extra controller repeats the whole list in its message; a hostile list must not grow that without bound. */
const maxExtraControllers = 8;

/** Errors of owner references, at the list's own path. At most one owner may be the controller; events own nothing. */
export function validateOwnerReferences(
  references: readonly OwnerReference[] | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let controllerName = '';
  let extraControllers = 0;
  for (const reference of references ?? []) {
    errors.push(...validateOwnerReference(reference, path));
    if (reference.controller !== true) continue;
    if (controllerName === '') controllerName = reference.name;
    else if (++extraControllers <= maxExtraControllers) {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controllerName} and ${reference.name}`;
      const shown = new VerbatimValue(goList(goType, references?.map(renderReference)));
      errors.push(invalidValue(path, shown, detail));
    }
  }
  return errors;
}

function validateOwnerReference(reference: OwnerReference, path: FieldPath): FieldError[] {
  const { apiVersion, kind, name, uid } = reference;
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const errors: FieldError[] = [];
  if (version === '') {
    errors.push(invalidValue(path.child('apiVersion'), apiVersion, 'version must not be empty'));
  }
  if (kind === '') errors.push(invalidValue(path.child('kind'), kind, 'kind must not be empty'));
  if (name === '') errors.push(invalidValue(path.child('name'), name, 'name must not be empty'));
  if (uid === '') errors.push(invalidValue(path.child('uid'), uid, 'uid must not be empty'));
  if (group === '' && version === 'v1' && kind === 'Event') {
    const shown = new VerbatimValue(renderReference(reference));
    errors.push(invalidValue(path, shown, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

const renderReference = (reference: OwnerReference): string =>
  goStruct(goType, [
    ['APIVersion', quoteGo(reference.apiVersion)],
    ['Kind', quoteGo(reference.kind)],
    ['Name', quoteGo(reference.name)],
    ['UID', quoteGo(reference.uid)],
    ['Controller', goPointer('bool', reference.controller !== undefined)],
    ['BlockOwnerDeletion', goPointer('bool', reference.blockOwnerDeletion !== undefined)],
  ]);
