import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import { reportInvalid } from '../reporting.ts';
import type { ServiceAccountSubject, Subject } from '../types/flowcontrol-apiserver-v1beta1.ts';
import { isDns1123Label, isDns1123Subdomain } from '../validation/index.ts';

/** Each kind of subject and the field that describes it, in the order of the errors. */
const fields = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
] as const;

/** Adds the errors of a subject: its kind says which one of its fields is set. */
export function validateSubject(errors: FieldError[], subject: Subject, path: FieldPath): void {
  const own = fields.find(([kind]) => kind === subject.kind);
  if (own === undefined) {
    errors.push(notSupported(path.child('kind'), subject.kind, ['Group', 'ServiceAccount', 'User']));
    return;
  }
  const [ownKind, ownField] = own;
  const description = subject[ownField];
  const at = path.child(ownField);
  if (description === undefined) {
    errors.push(required(at, `${ownField} is required when subject kind is '${ownKind}'`));
  } else if (ownField === 'serviceAccount') {
    if (subject.serviceAccount) validateServiceAccount(errors, subject.serviceAccount, at);
  } else if (description.name === '') errors.push(required(at.child('name')));
  for (const [kind, field] of fields) {
    if (field === ownField || subject[field] === undefined) continue;
    errors.push(
      forbiddenField(path.child(field), `${field} is forbidden when subject kind is not '${kind}'`),
    );
  }
}

function validateServiceAccount(
  errors: FieldError[],
  { name, namespace }: ServiceAccountSubject,
  path: FieldPath,
): void {
  if (name === '') errors.push(required(path.child('name')));
  else if (name !== '*') reportInvalid(errors, path.child('name'), name, isDns1123Subdomain(name));
  if (namespace === '') {
    errors.push(required(path.child('namespace'), 'must specify namespace for service account'));
  } else reportInvalid(errors, path.child('namespace'), namespace, isDns1123Label(namespace));
}
