import {
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import { reportInvalid } from '../reporting.ts';
import type { HTTPIngressPath, IngressRule } from '../types/networking-v1beta1.ts';
import { isDns1123Subdomain, isIpText, isWildcardDns1123Subdomain } from '../validation/index.ts';
import { type BackendNames, validateBackend } from './ingress-backend.ts';

/** What is wrong with a host, which may begin with a wildcard. */
export const describeHost = (host: string): string[] =>
  host.includes('*') ? isWildcardDns1123Subdomain(host) : isDns1123Subdomain(host);

/** Adds the errors of the host of a rule. */
export function validateHost(errors: FieldError[], host: string, path: FieldPath): void {
  if (host === '') return;
  if (isIpText(host)) errors.push(invalidValue(path, host, 'must be a DNS name, not an IP address'));
  reportInvalid(errors, path, host, describeHost(host));
}

/** Adds the errors of the paths of a rule and of their backends. */
export function validatePaths(
  errors: FieldError[],
  { http }: IngressRule,
  rulePath: FieldPath,
  names: BackendNames,
): void {
  if (http === undefined) return;
  const listPath = rulePath.child('http', 'paths');
  if (!http.paths?.length) errors.push(required(listPath));
  for (const [at, path] of (http.paths ?? []).entries()) {
    validatePath(errors, path, listPath.index(at), names);
  }
}

const types: readonly string[] = ['Exact', 'ImplementationSpecific', 'Prefix'];
const refusedParts: readonly string[] = ['//', '/./', '/../', '%2f', '%2F'];
const refusedEnds: readonly string[] = ['/..', '/.'];

function validatePath(
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
