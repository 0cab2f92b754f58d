import type { ConfigOf, OptionSpec } from '../../config/index.ts';
import { CtlError } from '../errors.ts';

/** Options of `apply` that say what it deletes. */
export const pruneOptions = [
  {
    name: 'prune',
    type: 'bool',
    section: 'Pruning',
    help: 'DELETES objects that were applied before and that the files no longer hold: those with the annotation of apply or of create --save-config, in the namespaces of the files or in none, that -l selects (or, with --all, any). Needs -l or --all. Rehearse it with --dry-run=server.',
  },
  {
    name: 'all',
    type: 'bool',
    section: 'Pruning',
    help: 'With --prune: whatever the labels, any object that was applied before and is missing from the files is deleted.',
  },
  {
    name: 'prune-whitelist',
    type: 'stringArray',
    valueName: 'GROUP/VERSION/KIND',
    section: 'Pruning',
    help: 'With --prune: look at objects of this kind only; may be repeated, and the core group is called core. By default ConfigMap, Endpoints, Namespace, PersistentVolumeClaim, PersistentVolume, Pod, ReplicationController, Secret, Service, Job, CronJob, Ingress, DaemonSet, Deployment, ReplicaSet and StatefulSet.',
  },
] as const satisfies readonly OptionSpec[];

/** Refuses to prune without being told what. @throws CtlError as release 1.20 words it */
export function checkPruneOptions(
  options: Pick<ConfigOf<typeof pruneOptions>, 'prune' | 'all'> & { readonly selector: string | undefined },
): void {
  const { prune, all, selector } = options;
  if (all && selector) throw new CtlError('cannot set --all and --selector at the same time');
  if (prune && !all && !selector) {
    throw new CtlError(
      'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
    );
  }
}
