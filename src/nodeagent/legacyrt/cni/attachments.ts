import { errorText } from '../../../base/index.ts';
import { createDialect, type Dialect } from '../../../machinery/dialect.ts';
import { RuntimeError } from '../../runtime/index.ts';
import { namePrefix } from '../container-names.ts';
import type { PodToConnect } from '../pod-network.ts';
import { type CapabilityArgs, capabilityArgs, pluginInput } from './capabilities.ts';
import type { NetworkConfig, PluginConfig } from './read-networks.ts';
import { type Attachment, ResultCache, resultAddresses } from './results.ts';
import { runPlugin } from './run-plugin.ts';

/** Folders of the CNI plugins and of their cached results, and the node's range of pod addresses. */
export interface AttachmentsOptions {
  /** Name of the network plugin in messages. */
  readonly name: string;
  readonly binDirs: readonly string[];
  readonly cacheDir: string;
  /** Ranges of addresses of this node, separated by commas; empty while nobody gave one. */
  readonly podCidr: () => string;
  readonly dialect: Dialect;
}

/** How a pod is connected. */
export interface ConnectSteps {
  /** The network for a pod with these wishes. */
  readonly network: (args: CapabilityArgs) => Promise<NetworkConfig>;
  /** What is done once the plugins have run. */
  readonly finish?: () => Promise<void>;
}

const interfaceName = 'eth0';

/** Names of the pod arguments (`CNI_ARGS`) that plugins expect; the same in every dialect. */
const argPrefix = namePrefix(createDialect('kubernetes')).toUpperCase();

/**
 * Pods that are connected to networks by plugins. Attachments are stored in a folder, so that a restarted agent can
 * disconnect them.
 */
export class Attachments {
  readonly #options: AttachmentsOptions;
  readonly #cache: ResultCache;
  readonly #bandwidthAnnotations: { readonly ingress: string; readonly egress: string };

  constructor(options: AttachmentsOptions) {
    const { cacheDir, dialect } = options;
    this.#options = options;
    this.#cache = new ResultCache(cacheDir);
    this.#bandwidthAnnotations = {
      ingress: dialect.label('ingress-bandwidth'),
      egress: dialect.label('egress-bandwidth'),
    };
  }

  /** @throws RuntimeError when a step fails; the steps before it are undone */
  async connect(pod: PodToConnect, steps: ConnectSteps): Promise<void> {
    const { metadata } = pod.config;
    try {
      await this.#add(pod, steps);
    } catch (error) {
      await this.disconnect(pod).catch(() => undefined); // Done again when the sandbox is stopped.
      const what = `failed to set up pod "${metadata.name}_${metadata.namespace}" network`;
      throw this.#failure('RunPodSandbox', what, error);
    }
  }

  /** Runs one plugin that changes nothing which must be undone later. @throws Error with the plugin's own words */
  async runAlone(
    pod: PodToConnect,
    { interfaceName: device, ...config }: PluginConfig & { readonly interfaceName: string },
  ): Promise<void> {
    const { binDirs } = this.#options;
    const [containerId, netns, args] = [pod.sandboxId, netnsOf(pod.pid), podArgs(pod)];
    const plugin = { type: config.type, config, containerId, netns, args, interfaceName: device };
    await runPlugin({ command: 'ADD', binDirs, ...plugin });
  }

  /** Does nothing for a sandbox that is not connected. @throws RuntimeError when a plugin fails */
  async disconnect({ sandboxId, pid }: { readonly sandboxId: string; readonly pid: number }): Promise<void> {
    const attachment = await this.#cache.read(sandboxId, interfaceName);
    if (attachment === undefined) return;
    try {
      await this.#remove(attachment, pid);
    } catch (error) {
      const what = `failed to teardown pod of sandbox "${sandboxId}" network`;
      throw this.#failure('StopPodSandbox', what, error);
    }
  }

  async addresses(sandboxId: string): Promise<readonly string[]> {
    return resultAddresses((await this.#cache.read(sandboxId, interfaceName))?.result);
  }

  /** Sandboxes that were connected to the network of that name, whether or not they still exist. */
  sandboxIds(networkName: string): Promise<readonly string[]> {
    return this.#cache.containerIds(networkName, interfaceName);
  }

  async #add(pod: PodToConnect, { network: choose, finish }: ConnectSteps): Promise<void> {
    const { podCidr, binDirs } = this.#options;
    const bandwidthAnnotations = this.#bandwidthAnnotations;
    const args = capabilityArgs({ config: pod.config, podCidr: podCidr(), bandwidthAnnotations });
    const network = await choose(args);
    const begun: Attachment = {
      containerId: pod.sandboxId,
      interfaceName,
      network,
      args: podArgs(pod),
      capabilityArgs: args,
      result: undefined,
    };
    // Written before the plugins run, so that it is undone even after a crash.
    await this.#cache.write(begun);
    let result: unknown;
    for (const plugin of network.plugins) {
      const config = pluginInput(plugin, network, { args, prevResult: result });
      const netns = netnsOf(pod.pid);
      result = await runPlugin({ command: 'ADD', type: plugin.type, binDirs, netns, config, ...begun });
    }
    await this.#cache.write({ ...begun, result });
    await finish?.();
  }

  async #remove(attachment: Attachment, pid: number): Promise<void> {
    const { binDirs } = this.#options;
    const { network, capabilityArgs: args, result: prevResult } = attachment;
    for (const plugin of network.plugins.toReversed()) {
      const config = pluginInput(plugin, network, { args, prevResult });
      const netns = netnsOf(pid);
      await runPlugin({ command: 'DEL', type: plugin.type, binDirs, netns, config, ...attachment });
    }
    await this.#cache.remove(attachment);
  }

  #failure(call: string, what: string, error: unknown): RuntimeError {
    const detail = `networkPlugin ${this.#options.name} ${what}: ${errorText(error)}`;
    return new RuntimeError('failed', `${call}: ${detail}`, { detail, cause: error });
  }
}

function podArgs({ sandboxId, config }: PodToConnect): Attachment['args'] {
  const { name, namespace } = config.metadata;
  return [
    ['IgnoreUnknown', '1'],
    [`${argPrefix}_POD_NAMESPACE`, namespace],
    [`${argPrefix}_POD_NAME`, name],
    [`${argPrefix}_POD_INFRA_CONTAINER_ID`, sandboxId],
  ];
}

const netnsOf = (pid: number): string => (pid > 0 ? `/proc/${pid}/ns/net` : '');
