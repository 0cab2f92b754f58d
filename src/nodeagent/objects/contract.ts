import type {
  ConfigMap,
  Endpoints,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
} from '../../apis/types/core-v1.ts';
import type { RuntimeClasses } from './runtime-classes.ts';
import type { StorageObjects } from './storage-objects.ts';

/** Which token of a service account a pod asks for. */
export interface PodTokenRequest {
  readonly pod: Pod;
  /** Empty for the API server itself. */
  readonly audience: string;
  readonly expirationSeconds: number;
}

/** A token, and until when it is good, as the API server writes that. */
export interface TokenStatus {
  readonly token: string;
  readonly expirationTimestamp: string;
}

/** What pods refer to in the API server. Objects are shared: never change them. */
export interface AgentObjects extends StorageObjects, RuntimeClasses {
  /**
   * As of now, or of a moment after the pod was registered; undefined when there is none.
   *
   * @throws StatusError or TransportError when it cannot be told.
   */
  configMap(namespace: string, name: string): Promise<ConfigMap | undefined>;
  /** As `configMap`. @throws StatusError or TransportError */
  secret(namespace: string, name: string): Promise<Secret | undefined>;
  /**
   * A token that is good for a fifth of its life at least; the same one until then. When it cannot be renewed, the old
   * one serves until it expires.
   *
   * @throws ServiceAccountTokenError with release 1.20's message.
   */
  serviceAccountToken(request: PodTokenRequest): Promise<string>;
  /** As `serviceAccountToken`. @throws ServiceAccountTokenError */
  serviceAccountTokenStatus(request: PodTokenRequest): Promise<TokenStatus>;
  /** Asked now; undefined when there is none. @throws StatusError or TransportError */
  persistentVolumeClaim(namespace: string, name: string): Promise<PersistentVolumeClaim | undefined>;
  /** Asked now; undefined when there is none. @throws StatusError or TransportError */
  persistentVolume(name: string): Promise<PersistentVolume | undefined>;
  /** Asked now; undefined when there are none. @throws StatusError or TransportError */
  endpoints(namespace: string, name: string): Promise<Endpoints | undefined>;
  /** Services of all namespaces as last seen; none before `whenServicesSynced`. */
  services(): readonly Service[];
  /** Resolves when services have been read once; rejects when `signal` aborts before. */
  readonly whenServicesSynced: Promise<void>;
  /** Begins to follow the config maps and secrets that a pod refers to; again for a pod that has changed. */
  registerPod(pod: Pod): void;
  /** Lets go of what no other pod refers to, and of the pod's tokens. */
  unregisterPod(podUid: string): void;
}
