import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { hasFiles, sourcesOf } from '../options/shared.ts';
import { type ResolvedObjects, resolveObjects } from '../resource/resolve-objects.ts';
import type { Target } from '../resource/target.ts';

/** The kinds whose pods are replaced step by step. */
export type RolloutKind = 'Deployment' | 'DaemonSet' | 'StatefulSet';

const rolloutKinds: Readonly<Record<RolloutKind, readonly string[]>> = {
  Deployment: ['apps', 'extensions'],
  DaemonSet: ['apps', 'extensions'],
  StatefulSet: ['apps'],
};

/** Other kinds that have pods. The client of release 1.20 words it otherwise when they cannot be rolled out. */
const otherPodKinds = new Set([
  'ReplicaSet.apps',
  'ReplicaSet.extensions',
  'Job.batch',
  'CronJob.batch',
  'Pod',
  'ReplicationController',
]);

type KindOfResource = Pick<Target['resource'], 'group' | 'kind'>;

/** `Deployment.apps`, `Pod`. */
export function groupKind({ group, kind }: KindOfResource): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/** The kind as one that can be rolled out; undefined for others. */
export function rolloutKindOf({ group, kind }: KindOfResource): RolloutKind | undefined {
  const isKnown = kind === 'Deployment' || kind === 'DaemonSet' || kind === 'StatefulSet';
  return isKnown && rolloutKinds[kind].includes(group) ? kind : undefined;
}

/** The kind, for commands that read revisions. @throws CtlError for kinds that have none */
export function kindWithRevisions(
  resource: KindOfResource,
  { noun, article }: { readonly noun: string; readonly article: string },
): RolloutKind {
  const kind = rolloutKindOf(resource);
  if (kind !== undefined) return kind;
  const name = JSON.stringify(groupKind(resource));
  if (otherPodKinds.has(groupKind(resource)))
    throw new CtlError(`no ${article} has been implemented for ${name}`);
  throw new CtlError(
    `error retrieving ${noun} for ${name}, no visitor method exists for {${resource.group} ${resource.kind}}`,
  );
}

/** What a command line says about which objects. */
export interface RolloutRequest {
  readonly args: readonly string[];
  readonly options: { readonly filename: readonly string[]; readonly recursive: boolean };
}

/** The objects that a command line names; a type alone means all of its objects. @throws CtlError for none */
export async function resolveRollouts(ctl: Ctl, { args, options }: RolloutRequest): Promise<ResolvedObjects> {
  if (args.length === 0 && !hasFiles(options)) throw new CtlError('required resource not specified');
  return resolveObjects(ctl, {
    args,
    ...sourcesOf(options),
    allowsTypesOnly: true,
  });
}
