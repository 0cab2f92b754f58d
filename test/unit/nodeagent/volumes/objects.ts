import type {
  ConfigMap,
  Endpoints,
  PersistentVolume,
  PersistentVolumeClaim,
  Secret,
} from '../../../../src/apis/types/core-v1.ts';
import type { CSIDriverSpec, VolumeAttachmentStatus } from '../../../../src/apis/types/storage-v1.ts';
import type { AgentObjects, ClaimStatusPatch } from '../../../../src/nodeagent/objects/index.ts';

/** What the fake knows, all in one namespace; it may be changed while it is used. */
export interface FakeObjects {
  readonly configMaps?: Record<string, Record<string, string>>;
  readonly secrets?: Record<string, Record<string, string>>;
  /** Types of secrets by their names. */
  readonly secretTypes?: Record<string, string>;
  readonly claims?: Record<string, PersistentVolumeClaim>;
  readonly volumes?: Record<string, PersistentVolume>;
  /** By namespace and name. */
  readonly endpoints?: Record<string, Endpoints>;
  readonly drivers?: Record<string, CSIDriverSpec>;
  readonly attachments?: Record<string, VolumeAttachmentStatus>;
  /** Statuses of claims that were written, by namespace and name. */
  readonly written?: Map<string, ClaimStatusPatch>;
}

/** Objects in memory; tokens tell for whom they are. */
export function objectsOf(known: FakeObjects): AgentObjects {
  const metadata = (name: string) => ({ name, creationTimestamp: null });
  return {
    async configMap(_namespace, name): Promise<ConfigMap | undefined> {
      const data = known.configMaps?.[name];
      return data && { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(name), data };
    },
    async secret(_namespace, name): Promise<Secret | undefined> {
      const texts = known.secrets?.[name];
      if (texts === undefined) return undefined;
      const entries = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
      const data: Record<string, string> = Object.fromEntries(entries);
      const type = known.secretTypes?.[name];
      return { apiVersion: 'v1', kind: 'Secret', metadata: metadata(name), data, type };
    },
    serviceAccountToken: async ({ pod, audience, expirationSeconds }) =>
      `token of ${pod.metadata.name} for ${audience} ${expirationSeconds}`,
    serviceAccountTokenStatus: async ({ pod, audience, expirationSeconds }) => ({
      token: `token of ${pod.metadata.name} for ${audience} ${expirationSeconds}`,
      expirationTimestamp: '2030-01-01T00:00:00Z',
    }),
    async csiDriver(name) {
      const spec = known.drivers?.[name];
      return spec && { apiVersion: '', kind: 'CSIDriver', metadata: metadata(name), spec };
    },
    async volumeAttachment(name) {
      const status = known.attachments?.[name];
      const spec = { attacher: '', nodeName: '', source: {} };
      return status && { apiVersion: '', kind: 'VolumeAttachment', metadata: metadata(name), spec, status };
    },
    async patchClaimStatus(namespace, name, status) {
      known.written?.set(`${namespace}/${name}`, status);
    },
    runtimeClass: async () => undefined,
    persistentVolumeClaim: async (_namespace, name) => known.claims?.[name],
    persistentVolume: async (name) => known.volumes?.[name],
    endpoints: async (namespace, name) => known.endpoints?.[`${namespace}/${name}`],
    services: () => [],
    whenServicesSynced: Promise.resolve(),
    registerPod() {},
    unregisterPod() {},
  };
}
