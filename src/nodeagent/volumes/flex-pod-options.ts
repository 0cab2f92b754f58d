import type { Secret } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { notFound } from '../../machinery/errors/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import { driverOptions } from '../volume-plugins/driver-options.ts';
import { describeError } from './describe-error.ts';
import type { FlexSource } from './flex-source.ts';
import { groupOf, type VolumeJob } from './volume-tools.ts';

/** The volume whose driver gets options, and where the secret is read that it names. */
export interface FlexPodOptionsInputs {
  readonly job: VolumeJob;
  readonly source: FlexSource;
  readonly dialect: Dialect;
  readonly objects: AgentObjects | undefined;
}

/** The argument with which a driver mounts a volume for a pod, and the secrets in it. @throws Error with release 1.20's message */
export async function flexOptionsOfPod(
  inputs: FlexPodOptionsInputs,
): Promise<{ json: string; secrets: string[] }> {
  const { job, source, dialect } = inputs;
  const { metadata, spec } = job.pod;
  const secrets = await readSecrets(inputs);
  const json = driverOptions(dialect, {
    ...source,
    volumeName: source.name,
    pod: {
      name: metadata.name ?? '',
      namespace: metadata.namespace ?? '',
      uid: metadata.uid ?? '',
      serviceAccountName: spec.serviceAccountName ?? '',
      groupId: groupOf(job.pod),
      secrets,
    },
  });
  return { json, secrets: Object.values(secrets) };
}

/** A driver gets only secrets whose `type` is its own name. */
async function readSecrets({
  source,
  dialect,
  objects,
}: FlexPodOptionsInputs): Promise<Record<string, string>> {
  if (source.secret === undefined) return {};
  const { namespace, name } = source.secret;
  if (objects === undefined) throw new Error(dialect.spell('cannot get orch client'));
  try {
    const secret: Secret | undefined = await objects.secret(namespace, name);
    if (secret === undefined) throw notFound({ group: '', resource: 'secrets' }, name);
    if (secret.type !== source.driver) throw new Error(`cannot get secret of type ${source.driver}`);
    return secret.data ?? {};
  } catch (cause) {
    throw new Error(`couldn't get secret ${namespace}/${name} err: ${describeError(cause)}`, { cause });
  }
}
