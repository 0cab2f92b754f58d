import type { Dialect } from '../../machinery/dialect.ts';
import { formatGroupVersion, parseGroupVersion } from '../../machinery/schema/index.ts';
import type {
  RoleBinding as StoredBinding,
  Subject as StoredSubject,
} from '../types/rbac-authorization-v1.ts';
import type { RoleBinding, Subject } from '../types/rbac-authorization-v1alpha1.ts';
import { convertKind, type VersionConversion } from './version-conversion.ts';

/** What the name `*` of a user meant in the first version. */
const everybody = 'system:authenticated';

/** Bindings of `rbac.authorization/v1alpha1`, whose subjects name a version where later ones name a group. */
export function roleBindingConversion(dialect: Dialect): VersionConversion {
  const rbacGroup = dialect.group('rbac.authorization');
  return convertKind<RoleBinding, StoredBinding>({
    toStorage(object) {
      const { subjects, ...rest } = object;
      const stored: StoredBinding = {
        ...rest,
        subjects: subjects?.map((subject) => storedSubject(subject, rbacGroup)),
      };
      return stored;
    },
    fromStorage(object) {
      const { subjects, ...rest } = object;
      const served: RoleBinding = {
        ...rest,
        subjects: subjects?.map((subject) => servedSubject(subject, rbacGroup)),
      };
      return served;
    },
  });
}

const isPerson = (kind: string): boolean => kind === 'User' || kind === 'Group';

function storedSubject({ apiVersion = '', ...rest }: Subject, rbacGroup: string): StoredSubject {
  if (rest.kind === 'ServiceAccount') return rest;
  if (!isPerson(rest.kind)) return { ...rest, apiGroup: parseGroupVersion(apiVersion)?.group };
  if (rest.kind === 'User' && rest.name === '*') {
    return { ...rest, kind: 'Group', name: everybody, apiGroup: rbacGroup };
  }
  return { ...rest, apiGroup: rbacGroup };
}

function servedSubject({ apiGroup = '', ...rest }: StoredSubject, rbacGroup: string): Subject {
  if (rest.kind === 'ServiceAccount' && apiGroup === '') return { ...rest, apiVersion: 'v1' };
  if (isPerson(rest.kind) && apiGroup === rbacGroup) {
    return { ...rest, apiVersion: formatGroupVersion(rbacGroup, 'v1alpha1') };
  }
  return { ...rest, apiVersion: apiGroup === '' ? '' : `${apiGroup}/` };
}
