/**
 * `ctl create`: makes objects of files, and small ones (namespaces, configuration, secrets, deployments, services) from
 * arguments. It refuses what exists already; `ctl apply` changes it.
 */
import { withChangeCause } from '../changes/change-cause.ts';
import { createObject, nameOf } from '../changes/create-object.ts';
import { withLastApplied } from '../changes/last-applied.ts';
import { createReporter } from '../changes/reporter.ts';
import { rawOption, sendRaw } from '../changes/send-raw.ts';
import { withPlaces } from '../changes/source-error.ts';
import type { Ctl } from '../ctl.ts';
import { windowsLineEndingsOption } from '../edit/options.ts';
import { CtlError, throwGathered, UsageError } from '../errors.ts';
import { fileChangeOptions, saveConfigOption } from '../options/change.ts';
import { hasFiles, readDryRun, sourcesOf } from '../options/shared.ts';
import { arrangeErrors } from '../resource/arrange-errors.ts';
import { type ManifestTarget, resolveFiles } from '../resource/resolve-files.ts';
import { defineVerb } from '../verb.ts';

/** The verb. */
export const createVerb = defineVerb({
  program: {
    name: 'ctl create',
    summary: 'Create objects from files or flags',
    usage: '-f FILE [flags]',
    options: [
      ...fileChangeOptions,
      saveConfigOption,
      {
        name: 'edit',
        type: 'bool',
        section: 'Changes',
        help: 'Open each object in an editor before it is created.',
      },
      windowsLineEndingsOption,
      rawOption,
    ],
    examples: [
      { command: 'ctl create -f pod.yaml', does: 'create what a file describes' },
      { command: 'cat pod.json | ctl create -f -', does: 'create what the standard input describes' },
      { command: 'ctl create namespace team-a', does: 'create a namespace' },
    ],
  },
  subverbs: {
    clusterrole: async () => (await import('./role.ts')).clusterRoleVerb,
    clusterrolebinding: async () => (await import('./role-binding.ts')).clusterRoleBindingVerb,
    role: async () => (await import('./role.ts')).roleVerb,
    rolebinding: async () => (await import('./role-binding.ts')).roleBindingVerb,
    token: async () => (await import('./token.ts')).tokenVerb,
    configmap: async () => (await import('./configmap.ts')).configMapVerb,
    cm: async () => (await import('./configmap.ts')).configMapVerb,
    deployment: async () => (await import('./deployment.ts')).deploymentVerb,
    cronjob: async () => (await import('./cron-job.ts')).cronJobVerb,
    cj: async () => (await import('./cron-job.ts')).cronJobVerb,
    deploy: async () => (await import('./deployment.ts')).deploymentVerb,
    ingress: async () => (await import('./ingress.ts')).ingressVerb,
    ing: async () => (await import('./ingress.ts')).ingressVerb,
    job: async () => (await import('./job.ts')).jobVerb,
    namespace: async () => (await import('./named-objects.ts')).namespaceVerb,
    ns: async () => (await import('./named-objects.ts')).namespaceVerb,
    poddisruptionbudget: async () => (await import('./disruption-budget.ts')).disruptionBudgetVerb,
    pdb: async () => (await import('./disruption-budget.ts')).disruptionBudgetVerb,
    priorityclass: async () => (await import('./priority-class.ts')).priorityClassVerb,
    pc: async () => (await import('./priority-class.ts')).priorityClassVerb,
    quota: async () => (await import('./quota.ts')).quotaVerb,
    resourcequota: async () => (await import('./quota.ts')).quotaVerb,
    secret: async () => (await import('./secret.ts')).secretVerb,
    service: async () => (await import('./service.ts')).serviceVerb,
    svc: async () => (await import('./service.ts')).serviceVerb,
    serviceaccount: async () => (await import('./named-objects.ts')).serviceAccountVerb,
    sa: async () => (await import('./named-objects.ts')).serviceAccountVerb,
  },
  async run(ctl, { options, args }) {
    if (options.raw && hasFiles(options)) return sendRaw(ctl, 'POST', { ...options, raw: options.raw });
    if (!hasFiles(options)) {
      if (args.length === 0) throw new UsageError('must specify one of -f and -k');
      // Release 1.20's client says both.
      if (ctl.dialect.name !== 'orch') ctl.io.stderr.write('Error: must specify one of -f and -k\n\n');
      throw new UsageError(`unknown command ${JSON.stringify(args.join(' '))}`);
    }
    if (args.length > 0) throw new UsageError(`Unexpected args: [${args.join(' ')}]`);
    const { targets, errors: ofFiles } = await resolveFiles(ctl, {
      ...sourcesOf(options),
      labelSelector: options.selector,
      isValidated: options.validate,
      args,
    });
    const dryRun = readDryRun(options.dryRun);
    const report = await createReporter(ctl, options, { dryRun });
    const fieldManager = options.fieldManager ?? ctl.fieldManager('create');
    const create = async (target: ManifestTarget): Promise<void> => {
      const recorded = withChangeCause(ctl, target.object);
      const object = options.saveConfig ? withLastApplied(recorded, ctl.dialect) : recorded;
      const created = await createObject(ctl, { ...target, object }, { dryRun, fieldManager });
      report({ resource: target.resource, object: created, name: nameOf(created), operation: 'created' });
    };
    const send = options.edit
      ? await editFirst(ctl, options.windowsLineEndings, options.output, create)
      : create;
    const ofObjects: unknown[] = [];
    for (const target of targets) {
      try {
        await send(target);
      } catch (error) {
        ofObjects.push(await withPlaces(error, 'creating', target));
      }
    }
    if (targets.length === 0 && ofFiles.length === 0) throw new CtlError('no objects passed to create');
    throwGathered(arrangeErrors(ctl.dialect, { ofFiles, ofObjects }, 'last'));
  },
});

/** Opens each object in an editor, and sends what was made of it there. @throws CtlError for formats nobody edits */
async function editFirst(
  ctl: Ctl,
  hasWindowsLineEndings: boolean,
  output: string | undefined,
  create: (target: ManifestTarget) => Promise<void>,
): Promise<(target: ManifestTarget) => Promise<void>> {
  const [{ editLead, readEditFormat }, { allSaved, runEditSession }] = await Promise.all([
    import('../edit/edit-text.ts'),
    import('../edit/session.ts'),
  ]);
  const format = readEditFormat(output);
  return (first) =>
    runEditSession({
      ctl,
      format,
      hasWindowsLineEndings,
      lead: editLead,
      document: first.object,
      first,
      save: async (edited) => {
        for (const target of edited) await create(target);
        return allSaved;
      },
    });
}
