import type { ApiResource, RankedVersion, RemoteVersions } from '../../apis/resources/index.ts';
import type { APIService } from '../../apis/types/apiregistration-v1.ts';
import { decodeStored, FollowedCache, type ResourceStore } from '../../registry/index.ts';

/** A version of a group that another server serves, as its APIService says. */
export interface RemoteApi extends RankedVersion {
  /** Name of the APIService. */
  readonly name: string;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
  /** Whether any certificate is taken. */
  readonly isUnverified: boolean;
  /** PEM certificates of the authorities that sign the server's; undefined for those of the machine. */
  readonly authorities: string | undefined;
  /** What the condition of the APIService says. */
  readonly isAvailable: boolean;
}

const defaultPort = 443;

/**
 * Where the server of an APIService is reached; undefined when this server serves it itself.
 */
export function remoteApiOf({ metadata, spec, status }: APIService): RemoteApi | undefined {
  const { service, group = '', version = '', caBundle = '' } = spec;
  if (service === undefined) return undefined;
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  return {
    name: metadata.name ?? '',
    group,
    version,
    groupPriorityMinimum: spec.groupPriorityMinimum,
    versionPriority: spec.versionPriority,
    service: {
      namespace: service.namespace ?? '',
      name: service.name ?? '',
      port: service.port ?? defaultPort,
    },
    isUnverified: spec.insecureSkipTLSVerify === true,
    authorities: caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString('latin1'),
    isAvailable: available?.status === 'True',
  };
}

/** The versions of groups that other servers serve. A registration counts for the next request. */
export class RemoteApis implements RemoteVersions {
  readonly #storeOf: () => ResourceStore | undefined;
  readonly #byName = new Map<string, RemoteApi>();
  /** What servers said that they serve, by the name of the API. */
  readonly #resources = new Map<string, readonly ApiResource[]>();
  #cache: FollowedCache | undefined;
  #revision = 0;

  /** `storeOf` gives the store of APIServices: undefined until there are stores, or where they are not served. */
  constructor(storeOf: () => ResourceStore | undefined) {
    this.#storeOf = storeOf;
  }

  /** True when this server serves everything itself. */
  get isEmpty(): boolean {
    this.#refresh();
    return this.#byName.size === 0;
  }

  /** Grows with each change of what is registered. */
  get revision(): number {
    this.#refresh();
    return this.#revision;
  }

  /** Undefined for versions that this server serves itself, and those that nobody does. */
  find(group: string, version: string): RemoteApi | undefined {
    this.#refresh();
    return this.#byName.get(`${version}.${group}`);
  }

  /** All of them, in no order. */
  list(): Iterable<RemoteApi> {
    this.#refresh();
    return this.#byName.values();
  }

  resourcesOf(group: string, version: string): readonly ApiResource[] | 'unknown' | undefined {
    const api = this.find(group, version);
    return api && (this.#resources.get(api.name) ?? 'unknown');
  }

  /** Notes what the server of an API says that it serves. */
  learn(name: string, resources: readonly ApiResource[]): void {
    this.#refresh();
    const isNews = JSON.stringify(this.#resources.get(name)) !== JSON.stringify(resources);
    if (!isNews || !this.#byName.has(name)) return;
    this.#resources.set(name, resources);
    this.#revision++;
  }

  #refresh(): void {
    this.#cache ??= this.#follow();
    this.#cache?.refresh();
  }

  #follow(): FollowedCache | undefined {
    const store = this.#storeOf();
    if (store === undefined) return undefined;
    return new FollowedCache(store, {
      put: (object) => {
        const api = remoteApiOf(decodeStored<APIService>(object));
        if (api !== undefined) this.#byName.set(api.name, api);
        else if (!this.#forget(decodeStored(object).metadata.name ?? '')) return;
        this.#revision++;
      },
      remove: (object) => {
        if (this.#forget(decodeStored(object).metadata.name ?? '')) this.#revision++;
      },
    });
  }

  #forget(name: string): boolean {
    this.#resources.delete(name);
    return this.#byName.delete(name);
  }
}
