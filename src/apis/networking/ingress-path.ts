import {
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import type { HTTPIngressPath } from '../types/networking-v1beta1.ts';
import { type BackendNames, validateBackend } from './ingress-backend.ts';

const types: readonly string[] = ['Exact', 'ImplementationSpecific', 'Prefix'];
const refusedParts: readonly string[] = ['//', '/./', '/../', '%2f', '%2F'];
const refusedEnds: readonly string[] = ['/..', '/.'];

/** Adds the errors of one path of a rule and of its backend. */
export function validatePath(
  errors: FieldError[],
  { path: text = '', pathType, backend }: HTTPIngressPath,
  path: FieldPath,
  names: BackendNames,
): void {
  if (pathType === undefined) {
    errors.push(required(path.child('pathType'), 'pathType must be specified'));
    return;
  }
  if (!types.includes(pathType)) errors.push(notSupported(path.child('pathType'), pathType, types));
  else {
    const isFree = pathType === 'ImplementationSpecific';
    for (const problem of describePath(text, isFree)) {
      errors.push(invalidValue(path.child('path'), text, problem));
    }
  }
  validateBackend(errors, backend, path.child('backend'), names);
}

function describePath(text: string, isFree: boolean): string[] {
  const problems: string[] = [];
  if (!text.startsWith('/') && !(isFree && text === '')) problems.push('must be an absolute path');
  if (isFree) return problems;
  for (const part of refusedParts) if (text.includes(part)) problems.push(`must not contain '${part}'`);
  for (const end of refusedEnds) if (text.endsWith(end)) problems.push(`cannot end with '${end}'`);
  return problems;
}
