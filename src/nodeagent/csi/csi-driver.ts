import { ServiceClient } from '../grpc/service-client.ts';
import type { CsiMethods } from './messages.ts';
import descriptor from './protocol.json' with { type: 'json' };

/** What a driver's node service may be able to do. */
export type CsiCapability = 'STAGE_UNSTAGE_VOLUME' | 'GET_VOLUME_STATS' | 'EXPAND_VOLUME';

/** How long a call may take, as in release 1.20. */
const timeoutMs = 120_000;

const capabilityNumbers: Readonly<Record<CsiCapability, number>> = {
  STAGE_UNSTAGE_VOLUME: 1,
  GET_VOLUME_STATS: 2,
  EXPAND_VOLUME: 3,
};

/** The node service of one driver. Connects with the first call. */
export class CsiDriver implements Disposable {
  readonly name: string;
  /** Highest version of the interface that it speaks, such as `1.2.0`. */
  readonly version: string;
  readonly #client: ServiceClient<CsiMethods>;
  #capabilities: ReadonlySet<number> | undefined;

  /** @throws RangeError for an endpoint that cannot be a socket */
  constructor(name: string, version: string, endpoint: string) {
    this.name = name;
    this.version = version;
    this.#client = new ServiceClient(endpoint, { service: 'csi.v1.Node', descriptor });
  }

  /** One call, of at most two minutes. @throws GrpcError */
  call<Name extends keyof CsiMethods & string>(
    name: Name,
    request: CsiMethods[Name][0],
  ): Promise<CsiMethods[Name][1]> {
    return this.#client.call(name, request, { timeoutMs });
  }

  /** Whether it can do something, as it said when it was first asked. @throws GrpcError */
  async can(capability: CsiCapability): Promise<boolean> {
    this.#capabilities ??= await this.#readCapabilities();
    return this.#capabilities.has(capabilityNumbers[capability]);
  }

  /** Calls that are under way end as they would. */
  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  async #readCapabilities(): Promise<ReadonlySet<number>> {
    const { capabilities } = await this.call('NodeGetCapabilities', {});
    return new Set(capabilities.map(({ rpc }) => rpc?.type ?? 0));
  }
}
