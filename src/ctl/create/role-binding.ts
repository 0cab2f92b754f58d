import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, requireFlags, takeName } from './generate.ts';

const section = 'Binding';
const subjectOptions = [
  { name: 'user', key: 'users', type: 'stringArray', section, help: 'User who gets the role; repeatable.' },
  { name: 'group', type: 'stringArray', section, help: 'Group that gets the role; repeatable.' },
  {
    name: 'serviceaccount',
    type: 'stringArray',
    section,
    help: 'Service account that gets the role, NAMESPACE:NAME; repeatable.',
  },
] as const;
const clusterRoleOption = {
  name: 'clusterrole',
  type: 'string',
  section,
  help: 'Cluster role to give.',
} as const;

/** Who gets a role. */
interface SubjectFlags {
  readonly users: readonly string[];
  readonly group: readonly string[];
  readonly serviceaccount: readonly string[];
}

/** `ctl create rolebinding`. */
export const roleBindingVerb = defineVerb({
  program: {
    name: 'ctl create rolebinding',
    summary: 'Give a role to users in a namespace',
    usage:
      'NAME --clusterrole=NAME|--role=NAME [--user=USER] [--group=GROUP] [--serviceaccount=NAMESPACE:NAME] [flags]',
    options: [
      clusterRoleOption,
      { name: 'role', type: 'string', section, help: 'Role of the namespace to give.' },
      ...subjectOptions,
      ...generatorOptions,
    ],
  },
  async run(ctl, { options, args }) {
    const name = takeName(args);
    const { clusterrole = '', role = '' } = options;
    if ((clusterrole === '') === (role === ''))
      throw new CtlError('exactly one of clusterrole or role must be specified');
    const given = role === '' ? { kind: 'ClusterRole', name: clusterrole } : { kind: 'Role', name: role };
    await createGenerated(ctl, options, bindingOf(ctl, { kind: 'RoleBinding', name, role: given }, options));
  },
});

/** `ctl create clusterrolebinding`. */
export const clusterRoleBindingVerb = defineVerb({
  program: {
    name: 'ctl create clusterrolebinding',
    summary: 'Give a cluster role to users in all namespaces',
    usage: 'NAME --clusterrole=NAME [--user=USER] [--group=GROUP] [--serviceaccount=NAMESPACE:NAME] [flags]',
    options: [clusterRoleOption, ...subjectOptions, ...generatorOptions],
  },
  async run(ctl, { options, given, args }) {
    const name = takeName(args);
    requireFlags(given, { clusterrole: 'clusterrole' });
    const role = { kind: 'ClusterRole', name: options.clusterrole ?? '' };
    await createGenerated(ctl, options, bindingOf(ctl, { kind: 'ClusterRoleBinding', name, role }, options));
  },
});

interface Binding {
  readonly kind: string;
  readonly name: string;
  readonly role: { readonly kind: string; readonly name: string };
}

function bindingOf({ dialect }: Ctl, { kind, name, role }: Binding, flags: SubjectFlags) {
  const apiGroup = dialect.group('rbac.authorization');
  const named = (of: string, names: readonly string[]) =>
    names.map((one) => ({ kind: of, apiGroup, name: one }));
  const accounts = flags.serviceaccount.map((text) => {
    const [namespace = '', account = '', ...rest] = text.split(':');
    if (namespace === '' || account === '' || rest.length > 0)
      throw new CtlError('serviceaccount must be <namespace>:<name>');
    return { kind: 'ServiceAccount', name: account, namespace };
  });
  const subjects = [...named('User', flags.users), ...named('Group', flags.group), ...accounts];
  return {
    apiVersion: `${apiGroup}/v1`,
    kind,
    metadata: { name },
    roleRef: { apiGroup, ...role },
    ...(subjects.length === 0 ? {} : { subjects }),
  };
}
