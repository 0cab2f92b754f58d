import type {
  ConfigMap,
  Endpoints,
  PersistentVolume,
  PersistentVolumeClaim,
  Secret,
  Service,
} from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { type RestClient, startInformer } from '../../client/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { createAskedObjects } from './asked-objects.ts';
import type { AgentObjects } from './contract.ts';
import { type ObjectResource, readObject } from './object-source.ts';
import { createPodObjects, type PodObjects } from './pod-objects.ts';
import { podReferences } from './pod-references.ts';
import { createRuntimeClasses } from './runtime-classes.ts';
import { createServiceAccountTokens } from './service-account-tokens.ts';
import { createStorageObjects } from './storage-objects.ts';
import { createWatchedObjects } from './watched-objects.ts';

/** How changes of config maps and secrets are found. */
export type ChangeDetection = 'Watch' | 'Cache' | 'Get';

/** How config maps, secrets and tokens are fetched for pods, and how changes of them are noticed. */
export interface AgentObjectsOptions {
  /** Each followed object takes one of its connections: let it have as many as the node's pods may need. */
  readonly client: RestClient;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends all watches. */
  readonly signal: AbortSignal;
  /** A config map or secret that the pod refers to appeared, changed or went; only with `Watch`. Must not throw. */
  readonly onChange: (podUid: string) => void;
  /** Default `Watch`. */
  readonly changeDetection?: ChangeDetection;
}

/** How long answers are good for when changes are not watched. */
const cacheMs = 60_000;
const nothing: ReadonlySet<string> = new Set();

/** Starts to follow services; config maps and secrets are followed as pods are registered. */
export function createAgentObjects(options: AgentObjectsOptions): AgentObjects {
  const { client, dialect, clock, logger, signal } = options;
  const configMaps = followObjects<ConfigMap>('configmaps', options);
  const secrets = followObjects<Secret>('secrets', options);
  const namespaces = new Map<string, string>();
  const tokens = createServiceAccountTokens(options);
  const claims = { client, resource: 'persistentvolumeclaims', signal } as const;
  const volumes = { client, resource: 'persistentvolumes', signal } as const;
  const endpoints = { client, resource: 'endpoints', signal } as const;
  const services = startInformer<Service>({
    client,
    resource: { group: '', version: 'v1', resource: 'services' },
    signal,
    clock,
    onError: (error) => logger.error('service watch failed', { error: String(error) }),
  });
  return {
    configMap: configMaps.get,
    secret: secrets.get,
    ...createStorageObjects(options),
    ...createRuntimeClasses({ client, group: dialect.group('node'), signal }),
    serviceAccountToken: async (request) => (await tokens.get(request)).token,
    serviceAccountTokenStatus: tokens.get,
    persistentVolumeClaim: (namespace, name) => readObject<PersistentVolumeClaim>(claims, namespace, name),
    persistentVolume: (name) => readObject<PersistentVolume>(volumes, '', name),
    endpoints: (namespace, name) => readObject<Endpoints>(endpoints, namespace, name),
    services: () => services.list(),
    whenServicesSynced: services.whenSynced,
    registerPod(pod) {
      const { uid = '', namespace = '' } = pod.metadata;
      const references = podReferences(pod);
      namespaces.set(uid, namespace);
      configMaps.use(uid, namespace, references.configMaps);
      secrets.use(uid, namespace, references.secrets);
    },
    unregisterPod(podUid) {
      tokens.forget(podUid);
      const namespace = namespaces.get(podUid);
      if (namespace === undefined) return;
      namespaces.delete(podUid);
      configMaps.use(podUid, namespace, nothing);
      secrets.use(podUid, namespace, nothing);
    },
  };
}

function followObjects<T extends ApiObject>(
  resource: ObjectResource,
  { client, clock, logger, signal, onChange, changeDetection = 'Watch' }: AgentObjectsOptions,
): PodObjects<T> {
  const reading = { client, resource, signal, clock };
  const maxAgeMs = changeDetection === 'Get' ? 0 : cacheMs;
  return createPodObjects<T>(
    (onObjectChange) =>
      changeDetection === 'Watch'
        ? createWatchedObjects<T>({ ...reading, logger, onChange: onObjectChange })
        : createAskedObjects<T>({ ...reading, maxAgeMs }),
    onChange,
  );
}
