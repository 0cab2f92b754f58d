import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { describeCallFailure } from './grpc-service.ts';
import {
  type ContainerAllocation,
  type ListedDevice,
  type PluginOptions,
  pluginProtocol,
} from './plugin-messages.ts';

const methods = pluginProtocol.service('DevicePlugin');

/** A plugin that does not answer for so long is taken for dead; release 1.20 waits for ever, and with it all pods. */
const callTimeoutMs = 60_000;
/** Release 1.20's bound. */
const preStartTimeoutMs = 30_000;
const connectTimeoutMs = 10_000;

const channelOptions = {
  'grpc.enable_http_proxy': 0,
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.use_local_subchannel_pool': 1,
} as const;

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
  readonly #client: Client;
  #end: (() => void) | undefined;

  constructor(socketPath: string, resource: string) {
    this.resource = resource;
    this.socketPath = socketPath;
    this.#client = new Client(`unix:${socketPath}`, credentials.createInsecure(), channelOptions);
  }

  /**
   * Follows the plugin's list of its devices, each time the whole of it. Resolves when the plugin has ended it.
   *
   * @throws PluginError when the plugin cannot be reached, or ends badly
   */
  async follow(onDevices: (devices: readonly ListedDevice[]) => void): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#client.waitForReady(Date.now() + connectTimeoutMs, (error) =>
        error === undefined ? resolve() : reject(new PluginError(error.message)),
      );
    });
    const { path, requestSerialize, responseDeserialize } = methodOf('ListAndWatch');
    const stream = this.#client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {});
    this.#end = () => stream.cancel();
    await new Promise<void>((resolve, reject) => {
      // The decoder makes objects with all fields of the message.
      stream.on('data', ({ devices }: { devices: readonly ListedDevice[] }) => onDevices(devices));
      stream.on('error', (error: ServiceError) => reject(new PluginError(describeCallFailure(error))));
      stream.on('end', resolve);
    });
  }

  /** What the plugin can do beside what every plugin must. @throws PluginError */
  readOptions(): Promise<PluginOptions> {
    return this.#call<PluginOptions>('GetDevicePluginOptions', {}, connectTimeoutMs);
  }

  /** Has devices made ready for a container. @throws PluginError */
  async allocate(ids: readonly string[]): Promise<ContainerAllocation> {
    const request = { container_requests: [{ devicesIDs: ids }] };
    const { container_responses: [answer] = [] } = await this.#call<{
      container_responses: readonly ContainerAllocation[];
    }>('Allocate', request, callTimeoutMs);
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
      const { container_responses: [answer] = [] } = await this.#call<{
        container_responses: readonly { readonly deviceIDs: readonly string[] }[];
      }>('GetPreferredAllocation', { container_requests: [one] }, callTimeoutMs);
      return answer?.deviceIDs ?? [];
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
    this.#end?.();
    this.#client.close();
  }

  #call<Answer>(name: string, request: object, timeoutMs: number): Promise<Answer> {
    const { path, requestSerialize, responseDeserialize } = methodOf(name);
    const deadline = Date.now() + timeoutMs;
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        { deadline },
        (error, answer) =>
          error === null ? resolve(answer) : reject(new PluginError(describeCallFailure(error))),
      );
    });
  }
}

function methodOf(name: string) {
  const method = methods[name];
  if (method === undefined) throw new TypeError(`no method ${name}`);
  return method;
}
