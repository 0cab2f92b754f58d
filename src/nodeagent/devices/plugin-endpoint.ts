import { GrpcError } from '../grpc/grpc-error.ts';
import { ServiceClient } from '../grpc/service-client.ts';
import {
  type ContainerAllocation,
  type ListedDevice,
  type PluginMethods,
  type PluginOptions,
  pluginService,
} from './plugin-messages.ts';

/** A plugin that does not answer for so long is taken for dead; release 1.20 waits for ever, and with it all pods. */
const callTimeoutMs = 60_000;
/** Release 1.20's bound. */
const preStartTimeoutMs = 30_000;
const connectTimeoutMs = 10_000;

/** A call of a plugin that failed; the message is release 1.20's. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}

/** What is asked when a plugin may choose. */
export interface PreferenceRequest {
  readonly available: readonly string[];
  readonly mustInclude: readonly string[];
  readonly size: number;
}

/** One plugin that registered, for one resource. */
export class PluginEndpoint {
  readonly resource: string;
  readonly socketPath: string;
  readonly #client: ServiceClient<PluginMethods>;
  readonly #closing = new AbortController();

  /** @throws RangeError for what cannot be the path of a socket */
  constructor(socketPath: string, resource: string) {
    this.resource = resource;
    this.socketPath = socketPath;
    this.#client = new ServiceClient(socketPath, pluginService);
  }

  /**
   * Follows the plugin's list of its devices, each time the whole of it. Resolves when the plugin has ended it.
   *
   * @throws PluginError when the plugin cannot be reached, or ends badly
   */
  async follow(onDevices: (devices: readonly ListedDevice[]) => void): Promise<void> {
    const { signal } = this.#closing;
    const onAnswer = ({ devices }: { readonly devices: readonly ListedDevice[] }) => onDevices(devices);
    await explain(async () => {
      await this.#client.whenReady(connectTimeoutMs);
      await this.#client.stream('ListAndWatch', {}, { onAnswer, signal });
    });
  }

  /** What the plugin can do beside what every plugin must. @throws PluginError */
  readOptions(): Promise<PluginOptions> {
    return this.#call('GetDevicePluginOptions', {}, connectTimeoutMs);
  }

  /** Has devices made ready for a container. @throws PluginError */
  async allocate(ids: readonly string[]): Promise<ContainerAllocation> {
    const request = { container_requests: [{ devicesIDs: ids }] };
    const { container_responses } = await this.#call('Allocate', request, callTimeoutMs);
    const [answer] = container_responses;
    if (answer === undefined) throw new PluginError('no containers return in allocation response');
    return answer;
  }

  /** The devices that the plugin would give; any number of them. @throws PluginError */
  async prefer({ available, mustInclude, size }: PreferenceRequest): Promise<readonly string[]> {
    const one = {
      available_deviceIDs: available,
      must_include_deviceIDs: mustInclude,
      allocation_size: size,
    };
    try {
      const request = { container_requests: [one] };
      const { container_responses } = await this.#call('GetPreferredAllocation', request, callTimeoutMs);
      return container_responses[0]?.deviceIDs ?? [];
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      const text = `device plugin GetPreferredAllocation rpc failed with err: ${error.message}`;
      throw new PluginError(text, { cause: error });
    }
  }

  /** A container that has these devices is about to start. @throws PluginError */
  async preStart(ids: readonly string[]): Promise<void> {
    try {
      await this.#call('PreStartContainer', { devicesIDs: ids }, preStartTimeoutMs);
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      const text = `device plugin PreStartContainer rpc failed with err: ${error.message}`;
      throw new PluginError(text, { cause: error });
    }
  }

  close(): void {
    this.#closing.abort();
    this.#client[Symbol.dispose]();
  }

  #call<Name extends keyof PluginMethods>(
    name: Name,
    request: PluginMethods[Name][0],
    timeoutMs: number,
  ): Promise<PluginMethods[Name][1]> {
    return explain(() => this.#client.call(name, request, { timeoutMs }));
  }
}

async function explain<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof GrpcError ? new PluginError(error.message, { cause: error }) : error;
  }
}
