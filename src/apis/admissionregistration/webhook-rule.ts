import {
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import type { RuleWithOperations } from '../types/admissionregistration-v1beta1.ts';
import { goStringList } from '../validation/index.ts';

const operations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes: readonly string[] = ['*', 'Cluster', 'Namespaced'];

/** Adds the errors of which writes a webhook wants to see. */
export function validateRuleWithOperations(
  errors: FieldError[],
  rule: RuleWithOperations,
  path: FieldPath,
): void {
  validateList(errors, rule.operations ?? [], path.child('operations'), 'operations');
  for (const [at, operation] of (rule.operations ?? []).entries()) {
    if (operations.includes(operation)) continue;
    errors.push(notSupported(path.child('operations').index(at), operation, operations));
  }
  validateList(errors, rule.apiGroups ?? [], path.child('apiGroups'), 'API groups');
  validateList(errors, rule.apiVersions ?? [], path.child('apiVersions'), 'API versions');
  for (const [at, version] of (rule.apiVersions ?? []).entries()) {
    if (version === '') errors.push(required(path.child('apiVersions').index(at)));
  }
  validateResources(errors, rule.resources ?? [], path.child('resources'));
  if (rule.scope !== undefined && !scopes.includes(rule.scope)) {
    errors.push(notSupported(path.child('scope'), rule.scope, scopes));
  }
}

function validateList(errors: FieldError[], list: readonly string[], path: FieldPath, noun: string): void {
  if (list.length === 0) errors.push(required(path));
  if (list.length < 2 || !list.includes('*')) return;
  const shown = goStringList(list, noun === 'operations' ? 'admissionregistration.OperationType' : 'string');
  errors.push(invalidValue(path, shown, `if '*' is present, must not specify other ${noun}`));
}

function validateResources(errors: FieldError[], resources: readonly string[], path: FieldPath): void {
  if (resources.length === 0) errors.push(required(path));
  const openResources = new Set<string>();
  const openSubresources = new Set<string>();
  let hasPlain = false;
  for (const [at, text] of resources.entries()) {
    if (text === '') {
      errors.push(required(path.index(at)));
      continue;
    }
    const slash = text.indexOf('/');
    if (slash < 0) {
      // Release 1.20 remembers the last one only.
      hasPlain = text !== '*';
      continue;
    }
    const resource = text.slice(0, slash);
    const subresource = text.slice(slash + 1);
    const refuse = (wildcard: string): void => {
      const detail = `if '${wildcard}' is present, must not specify ${text}`;
      errors.push(invalidValue(path.index(at), text, detail));
    };
    if (openResources.has(resource)) refuse(`${resource}/*`);
    if (openSubresources.has(subresource)) refuse(`*/${subresource}`);
    if (subresource === '*') openResources.add(resource);
    if (resource === '*') openSubresources.add(subresource);
  }
  const shown = goStringList(resources);
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalidValue(path, shown, "if '*/*' is present, must not specify other resources"));
  }
  if (hasPlain && resources.includes('*')) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidValue(path, shown, detail));
  }
}
