import type { BindingLike, RoleLike } from '../../apis/bootstrap/index.ts';
import type { PolicyRule, Subject } from '../../apis/types/rbac-authorization-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import {
  dryRunOption,
  fileOptions,
  hasFiles,
  printOptions,
  readDryRun,
  sourcesOf,
} from '../options/shared.ts';
import type { WireObject } from '../resource/api-object.ts';
import { type ManifestTarget, resolveFiles } from '../resource/resolve-files.ts';
import { targetPath } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { type AccessPlan, decideBinding, decideRole, type RemovalOptions } from './decide-access.ts';

const section = 'Changes';

/** `ctl auth reconcile`. */
export const reconcileVerb = defineVerb({
  program: {
    name: 'ctl auth reconcile',
    summary: 'Bring roles and bindings to what files describe',
    usage: '-f FILE [flags]',
    description: [
      'Adds the permissions and subjects that are missing; a binding to another role is made anew. Objects of other kinds in the files are left out.',
    ],
    options: [
      ...fileOptions,
      {
        name: 'remove-extra-permissions',
        type: 'bool',
        section,
        help: 'Take away permissions that the files do not name.',
      },
      {
        name: 'remove-extra-subjects',
        type: 'bool',
        section,
        help: 'Take away subjects that the files do not name.',
      },
      dryRunOption,
      ...printOptions,
    ],
    examples: [{ command: 'ctl auth reconcile -f roles.yaml', does: 'add what is missing' }],
  },
  async run(ctl, { options, args }) {
    if (!hasFiles(options)) throw new CtlError('must specify one of -f and -k');
    if (args.length > 0) throw new CtlError('no arguments are allowed');
    const dryRun = readDryRun(options.dryRun);
    if (dryRun === 'server')
      throw new CtlError('--dry-run=server for command auth reconcile is not supported yet');
    const { targets, errors } = await resolveFiles(ctl, {
      ...sourcesOf(options),
      args,
    });
    const report = await createReporter(ctl, options, { dryRun });
    const removal = {
      extraPermissions: options.removeExtraPermissions,
      extraSubjects: options.removeExtraSubjects,
    };
    for (const target of targets) {
      try {
        const plan = await decide(ctl, target, removal);
        if (plan === undefined) continue;
        if (dryRun === 'none' && !plan.isProtected) await carryOut(ctl, target, plan);
        report({ ...target, object: plan.object, operation: 'reconciled' });
        // Beside the objects, which -o may print for programs.
        ctl.io.stderr.write(explain(plan, ctl));
      } catch (error) {
        errors.push(error);
      }
    }
    throwGathered(errors);
  },
});

/** Undefined for kinds that say nothing of access. */
async function decide(
  ctl: Ctl,
  target: ManifestTarget,
  removal: RemovalOptions,
): Promise<AccessPlan | undefined> {
  const { resource, object } = target;
  const group = ctl.dialect.group('rbac.authorization');
  if (resource.group !== group) return undefined;
  if (resource.version !== 'v1' && ctl.dialect.name !== 'orch') {
    throw new CtlError(`only ${group}/v1 is supported: not *${resource.version}.${object.kind}`);
  }
  const options = { dialect: ctl.dialect, removal };
  if (isRole(object)) return decideRole(object, await read<RoleLike>(ctl, target), options);
  return isBinding(object) ? decideBinding(object, await read<BindingLike>(ctl, target), options) : undefined;
}

/** The kind says which of the two it is; the server checks the fields. */
const isRole = (object: WireObject): object is WireObject & RoleLike => object.kind.endsWith('Role');
const isBinding = (object: WireObject): object is WireObject & BindingLike => object.kind.endsWith('Binding');

async function read<T>(ctl: Ctl, target: ManifestTarget): Promise<T | undefined> {
  const client = await ctl.client();
  try {
    return await client.json<T>({ method: 'GET', path: targetPath(target), signal: ctl.io.signal });
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function carryOut(ctl: Ctl, target: ManifestTarget, { operation, object }: AccessPlan): Promise<void> {
  const client = await ctl.client();
  const { signal } = ctl.io;
  const path = targetPath(target);
  const collection = targetPath({ ...target, name: undefined });
  if (operation === 'update') await client.send({ method: 'PUT', path, body: object, signal });
  if (operation === 'recreate') await client.send({ method: 'DELETE', path, signal });
  if (operation !== 'create' && operation !== 'recreate') return;
  if (target.namespace !== '') await makeNamespace(ctl, target.namespace);
  await client.send({ method: 'POST', path: collection, body: object, signal });
}

/** Whoever may not make namespaces finds out when the role is made. */
async function makeNamespace(ctl: Ctl, name: string): Promise<void> {
  const client = await ctl.client();
  const path = resourcePath({ group: '', version: 'v1', resource: 'namespaces' });
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  try {
    await client.send({ method: 'POST', path, body, signal: ctl.io.signal });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists') && !isReason(error, 'Forbidden')) throw error;
  }
}

/** What is done and why, in the words of the release's client. */
function explain(plan: AccessPlan, { dialect }: Ctl): string {
  const { operation } = plan;
  if (operation === 'none') return '';
  const optOut = `, but object opted out (${dialect.spell('rbac.authorization.orch.io/autoupdate')}: false)`;
  const list = (caption: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`\t${caption}:`, ...lines.map((line) => `\t\t${line}`)];
  return [
    `\treconciliation required ${operation}${plan.isProtected ? optOut : ''}`,
    ...list('missing subjects added', plan.missingSubjects.map(showSubject)),
    ...list('extra subjects removed', plan.extraSubjects.map(showSubject)),
    ...list('missing rules added', plan.missingRules.map(showRule)),
    ...list('extra rules removed', plan.extraRules.map(showRule)),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const showSubject = ({ kind, apiGroup = '', name, namespace = '' }: Subject): string =>
  `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`;

function showRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const lists = { Verbs: verbs, APIGroups: apiGroups, Resources: resources };
  const more = { ResourceNames: resourceNames, NonResourceURLs: nonResourceURLs };
  const parts = Object.entries({ ...lists, ...more }).map(
    ([key, texts]) => `${key}:[${(texts ?? []).join(' ')}]`,
  );
  return `{${parts.join(' ')}}`;
}
