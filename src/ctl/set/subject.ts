import { asJsonObject, asList, type JsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { CtlError } from '../errors.ts';
import { hasFiles, selectorOption } from '../options/shared.ts';
import { defineVerb } from '../verb.ts';
import { missingObjects, runSet, setOptions } from './run-set.ts';

const section = 'Changes';

/** `ctl set subject`. */
export const subjectVerb = defineVerb({
  program: {
    name: 'ctl set subject',
    summary: 'Give a role to more users, groups and service accounts',
    usage:
      '(-f FILE | TYPE NAME | TYPE/NAME) [--user=USER] [--group=GROUP] [--serviceaccount=NAMESPACE:NAME] [flags]',
    options: [
      {
        name: 'user',
        key: 'users',
        type: 'stringArray',
        section,
        help: 'User who gets the role; repeatable.',
      },
      {
        name: 'group',
        key: 'groups',
        type: 'stringArray',
        section,
        help: 'Group that gets the role; repeatable.',
      },
      {
        name: 'serviceaccount',
        key: 'accounts',
        type: 'stringArray',
        section,
        help: 'Service account that gets the role, NAMESPACE:NAME; repeatable.',
      },
      ...setOptions,
      selectorOption,
    ],
    examples: [
      { command: 'ctl set subject rolebinding readers --user=ann --group=ops', does: 'let them read too' },
    ],
  },
  async run(ctl, { options, args }) {
    if (args.length === 0 && !hasFiles(options)) throw new CtlError(missingObjects);
    const { users, groups, accounts } = options;
    if (users.length + groups.length + accounts.length === 0) {
      throw new CtlError('you must specify at least one value of user, group or serviceaccount');
    }
    const { namespace } = await ctl.context();
    const added = makeSubjects(ctl.dialect, { users, groups, accounts, namespace });
    await runSet(ctl, {
      options,
      resources: args,
      labelSelector: options.selector,
      operation: 'subjects updated',
      failure: 'failed to patch subjects to rolebinding:',
      edit(object) {
        if (object.kind !== 'RoleBinding' && object.kind !== 'ClusterRoleBinding') {
          throw new CtlError('setting subjects is only supported for RoleBinding/ClusterRoleBinding');
        }
        return {
          object: { ...object, subjects: addSubjects(asList(object.subjects).map(asJsonObject), added) },
        };
      },
    });
  },
});

/** Who gets the role, as flags name them. */
export interface SubjectNames {
  readonly users: readonly string[];
  readonly groups: readonly string[];
  /** `NAMESPACE:NAME`, or `:NAME` in `namespace`. */
  readonly accounts: readonly string[];
  readonly namespace: string;
}

/** Subjects of a binding. @throws CtlError for accounts that make no sense */
export function makeSubjects(dialect: Dialect, names: SubjectNames): readonly JsonObject[] {
  const apiGroup = dialect.group('rbac.authorization');
  const accounts = names.accounts.map((text) => {
    const [namespace = '', name = '', ...rest] = text.split(':');
    if (name === '' || rest.length > 0) throw new CtlError('serviceaccount must be <namespace>:<name>');
    return { kind: 'ServiceAccount', name, namespace: namespace || names.namespace };
  });
  return [
    ...names.users.map((name) => ({ apiGroup, kind: 'User', name })),
    ...names.groups.map((name) => ({ apiGroup, kind: 'Group', name })),
    ...accounts,
  ];
}

/** The subjects with those that are new at the end. */
export function addSubjects(
  current: readonly JsonObject[],
  added: readonly JsonObject[],
): readonly JsonObject[] {
  const keyOf = ({ kind, name, namespace }: JsonObject) => JSON.stringify([kind, name, namespace ?? '']);
  const known = new Set(current.map(keyOf));
  const fresh = added.filter((one) => {
    const isNew = !known.has(keyOf(one));
    known.add(keyOf(one));
    return isNew;
  });
  return [...current, ...fresh];
}
