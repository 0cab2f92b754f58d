import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  notSupported,
  quoteGo,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { ClusterRoleBinding, RoleBinding, RoleRef, Subject } from '../types/rbac-authorization-v1.ts';
import {
  deepEqual,
  goStruct,
  isDns1123Subdomain,
  isPathSegmentName,
  nameIsPathSegment,
} from '../validation/index.ts';

const refPath = fieldPath('roleRef');
const subjectsPath = fieldPath('subjects');

/** Role bindings: who has a role, or a cluster role, in one namespace. */
export const roleBindingRules: KindRules<RoleBinding> = bindingRules({ isNamespaced: true });

/** Cluster role bindings: who has a cluster role everywhere. */
export const clusterRoleBindingRules: KindRules<ClusterRoleBinding> = bindingRules({ isNamespaced: false });

interface BindingScope {
  readonly isNamespaced: boolean;
}

function bindingRules(scope: BindingScope): KindRules<RoleBinding> {
  return {
    refusesExport: true,
    validateName: nameIsPathSegment,
    allowsCreateOnUpdate: true,
    validate: (binding, context) => validateBinding(binding, scope, context),
    validateUpdate: (binding, _old, context) => validateBinding(binding, scope, context),
    validateKept: ({ roleRef }, old) =>
      deepEqual(roleRef, old.roleRef)
        ? []
        : [invalidValue(refPath, showRef(roleRef), 'cannot change roleRef')],
  };
}

const showRef = ({ apiGroup, kind, name }: RoleRef): VerbatimValue =>
  new VerbatimValue(
    goStruct('rbac.RoleRef', [
      ['APIGroup', quoteGo(apiGroup)],
      ['Kind', quoteGo(kind)],
      ['Name', quoteGo(name)],
    ]),
  );

function validateBinding(
  { roleRef, subjects }: RoleBinding,
  { isNamespaced }: BindingScope,
  { dialect }: RuleContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const group = dialect.group('rbac.authorization');
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (roleRef.apiGroup !== group) {
    errors.push(notSupported(refPath.child('apiGroup'), roleRef.apiGroup, [group]));
  }
  if (!kinds.includes(roleRef.kind)) errors.push(notSupported(refPath.child('kind'), roleRef.kind, kinds));
  if (roleRef.name === '') errors.push(required(refPath.child('name')));
  else reportInvalid(errors, refPath.child('name'), roleRef.name, isPathSegmentName(roleRef.name));
  for (const [at, subject] of (subjects ?? []).entries()) {
    validateSubject(errors, subject, subjectsPath.index(at), { isNamespaced, group });
  }
  return errors;
}

function validateSubject(
  errors: FieldError[],
  { kind, name, apiGroup = '', namespace = '' }: Subject,
  path: FieldPath,
  { isNamespaced, group }: BindingScope & { readonly group: string },
): void {
  if (name === '') errors.push(required(path.child('name')));
  if (kind === 'ServiceAccount') {
    if (name !== '') reportInvalid(errors, path.child('name'), name, isDns1123Subdomain(name));
    if (apiGroup !== '') errors.push(notSupported(path.child('apiGroup'), apiGroup, ['']));
    if (!isNamespaced && namespace === '') errors.push(required(path.child('namespace')));
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== group) errors.push(notSupported(path.child('apiGroup'), apiGroup, [group]));
  } else errors.push(notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']));
}
