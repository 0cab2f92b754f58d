import type { Pod, VolumeProjection } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentObjects } from '../objects/index.ts';
import type { MountContext } from './contract.ts';
import { describeError, joinMessages } from './describe-error.ts';
import { downwardPayload } from './downward-payload.ts';
import { configMapPayload, secretPayload } from './object-payload.ts';
import type { Payload, PayloadFile } from './payload.ts';
import { readConfigMap, readSecret } from './read-object.ts';

/** The pod that a projected volume is for, and where its sources are read. */
export interface ProjectedPayloadOptions {
  readonly pod: Pod;
  readonly context: MountContext;
  readonly objects: AgentObjects | undefined;
  readonly dialect: Dialect;
  /** Mode of files whose source says none. */
  readonly defaultMode: number;
}

/** Lifetime of a token when its source does not say. */
const tokenSeconds = 3600;

/** Files of several sources; a later one replaces an earlier one of its path. @throws Error with all that is wrong. */
export async function projectedPayload(
  sources: readonly VolumeProjection[],
  options: ProjectedPayloadOptions,
): Promise<Payload> {
  const files = new Map<string, PayloadFile>();
  const problems: string[] = [];
  for (const source of sources) {
    try {
      for (const [path, file] of await readSource(source, options)) files.set(path, file);
    } catch (error) {
      problems.push(describeError(error));
    }
  }
  if (problems.length > 0) throw new Error(joinMessages(problems));
  return files;
}

async function readSource(source: VolumeProjection, options: ProjectedPayloadOptions): Promise<Payload> {
  const { pod, objects, defaultMode } = options;
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap) {
    const { name = '', items, optional } = configMap;
    const reference = { name, isOptional: optional === true };
    const object = await readConfigMap(pod, reference, objects);
    return configMapPayload(object, { items, defaultMode, isOptional: reference.isOptional });
  }
  if (secret) {
    const { name = '', items, optional } = secret;
    const reference = { name, isOptional: optional === true };
    const object = await readSecret(pod, reference, objects);
    return secretPayload(object, { items, defaultMode, isOptional: reference.isOptional });
  }
  if (downwardAPI) return downwardPayload(downwardAPI.items ?? [], options);
  if (serviceAccountToken) return tokenPayload(serviceAccountToken, options);
  return new Map();
}

/** A token is readable by its user only, where the pod's specification names that user. */
async function tokenPayload(
  token: NonNullable<VolumeProjection['serviceAccountToken']>,
  { pod, objects, dialect, defaultMode }: ProjectedPayloadOptions,
): Promise<Payload> {
  const { audience = '', expirationSeconds = tokenSeconds, path } = token;
  if (objects === undefined) {
    const why = dialect.spell('cannot use TokenManager when nodeagent is in standalone mode');
    throw new Error(`failed to fetch token: ${why}`);
  }
  const text = await objects.serviceAccountToken({ pod, audience, expirationSeconds });
  const userId = podUserId(pod);
  const isPrivate = userId !== undefined || pod.spec.securityContext?.fsGroup !== undefined;
  const mode = isPrivate ? 0o600 : defaultMode;
  return new Map([[path, { content: Buffer.from(text, 'utf8'), mode, userId }]]);
}

/** The user that all containers of a pod run as by its specification; undefined when it does not say, or they differ. */
function podUserId({ spec }: Pod): number | undefined {
  const users = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(
    ({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser,
  );
  const [first] = users;
  return users.every((user) => user === first) ? first : undefined;
}
