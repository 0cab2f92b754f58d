import type { Pod, Secret } from '../../apis/types/core-v1.ts';
import type { CSIDriverSpec } from '../../apis/types/storage-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { notFound } from '../../machinery/errors/index.ts';
import type { TextMap, VolumeCapability } from '../csi/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import type { CsiSource, SecretPlace } from './csi-source.ts';
import { describeError } from './describe-error.ts';

/** Access modes of a volume as drivers know them; others are unknown (0). */
const modes: Readonly<Record<string, number>> = {
  ReadWriteOnce: 1,
  ReadOnlyMany: 3,
  ReadWriteMany: 5,
};

/** How a driver is told to use a volume: as its first access mode says. */
export function capabilityOf({ isBlock, fsType, accessModes, mountOptions }: CsiSource): VolumeCapability {
  const access_mode = { mode: modes[accessModes?.[0] ?? 'ReadWriteOnce'] ?? 0 };
  return isBlock
    ? { block: {}, access_mode }
    : { mount: { fs_type: fsType, mount_flags: mountOptions }, access_mode };
}

/** What is in a secret, as texts. @throws Error with release 1.20's message */
export async function readSecretTexts(
  place: SecretPlace | undefined,
  {
    field,
    objects,
    dialect,
  }: {
    /** Of the volume, for the message. */
    readonly field: string;
    readonly objects: AgentObjects;
    readonly dialect: Dialect;
  },
): Promise<TextMap> {
  if (place === undefined) return {};
  const { namespace, name } = place;
  try {
    const secret: Secret | undefined = await objects.secret(namespace, name);
    if (secret === undefined) throw notFound({ group: '', resource: 'secrets' }, name);
    const texts = Object.entries(secret.data ?? {}).map(([key, data]) => [
      key,
      Buffer.from(data, 'base64').toString('utf8'),
    ]);
    return Object.fromEntries(texts);
  } catch (cause) {
    const what = `failed to find the secret ${name} in the namespace ${namespace} with error: ${describeError(cause)}`;
    const prefix = `${dialect.label('csi')}: `;
    throw new Error(`fetching ${field} ${namespace}/${name} failed: ${prefix}${what}`, { cause });
  }
}

/** What a driver that asks for it is told of the pod. */
export function podInfo({ metadata, spec }: Pod, source: CsiSource, dialect: Dialect): TextMap {
  const key = (name: string): string => dialect.spell(`csi.storage.orch.io/${name}`);
  return {
    [key('pod.name')]: metadata.name ?? '',
    [key('pod.namespace')]: metadata.namespace ?? '',
    [key('pod.uid')]: metadata.uid ?? '',
    [key('serviceAccount.name')]: spec.serviceAccountName ?? '',
    [key('ephemeral')]: `${source.lifecycle === 'Ephemeral'}`,
  };
}

/** Tokens of the pod's service account for the audiences that a driver asks for, as one attribute. @throws Error */
export async function tokenAttribute(
  pod: Pod,
  { tokenRequests }: CSIDriverSpec,
  { objects, dialect }: { readonly objects: AgentObjects; readonly dialect: Dialect },
): Promise<TextMap> {
  if (!tokenRequests || tokenRequests.length === 0) return {};
  const statuses: Record<string, { readonly token: string; readonly expirationTimestamp: string }> = {};
  for (const { audience, expirationSeconds = 3600 } of tokenRequests) {
    statuses[audience] = await objects.serviceAccountTokenStatus({ pod, audience, expirationSeconds });
  }
  const sorted = Object.entries(statuses).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    [dialect.spell('csi.storage.orch.io/serviceAccount.tokens')]: JSON.stringify(Object.fromEntries(sorted)),
  };
}
