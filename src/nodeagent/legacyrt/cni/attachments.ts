import { errorText } from '../../../base/index.ts';
import { createDialect, type Dialect } from '../../../machinery/dialect.ts';
import { RuntimeError } from '../../runtime/index.ts';
import { namePrefix } from '../container-names.ts';
import type { PodToConnect } from '../pod-network.ts';
import { type CapabilityArgs, capabilityArgs, pluginInput } from './capabilities.ts';
import type { NetworkConfig, PluginConfig } from './read-networks.ts';
import { resultAddresses } from './result-addresses.ts';
import { type Attachment, ResultCache } from './result-cache.ts';
import { runPlugin } from './run-plugin.ts';

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

/** Pods that are connected to networks by plugins. */
export interface Attachments {
  /** @throws RuntimeError when a step fails; what was begun is taken back */
  connect(pod: PodToConnect, steps: ConnectSteps): Promise<void>;
  /** Runs one plugin that leaves nothing to be taken back. @throws Error with the plugin's own words */
  runAlone(pod: PodToConnect, plugin: PluginConfig & { readonly interfaceName: string }): Promise<void>;
  /** Does nothing for a sandbox that is not connected. @throws RuntimeError when a plugin fails */
  disconnect(pod: { readonly sandboxId: string; readonly pid: number }): Promise<void>;
  addresses(sandboxId: string): Promise<readonly string[]>;
  /** Sandboxes that were connected to the network of that name, whether or not they still exist. */
  sandboxIds(networkName: string): Promise<readonly string[]>;
}

const interfaceName = 'eth0';

/** Plugins know the names of a pod's arguments in one spelling only. */
const argPrefix = namePrefix(createDialect('kubernetes')).toUpperCase();

/** Attachments that are remembered in a folder, so that a restarted agent takes down what another one has set up. */
export function createAttachments({
  name,
  binDirs,
  cacheDir,
  podCidr,
  dialect,
}: AttachmentsOptions): Attachments {
  const cache = new ResultCache(cacheDir);
  const bandwidthAnnotations = {
    ingress: dialect.label('ingress-bandwidth'),
    egress: dialect.label('egress-bandwidth'),
  };

  async function add(pod: PodToConnect, { network: choose, finish }: ConnectSteps): Promise<void> {
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
    // Before the plugins do anything: it is taken back then even after a crash.
    await cache.write(begun);
    let result: unknown;
    for (const plugin of network.plugins) {
      const config = pluginInput(plugin, network, { args, prevResult: result });
      const netns = netnsOf(pod.pid);
      result = await runPlugin({ command: 'ADD', type: plugin.type, binDirs, netns, config, ...begun });
    }
    await cache.write({ ...begun, result });
    await finish?.();
  }

  async function remove(attachment: Attachment, pid: number): Promise<void> {
    const { network, capabilityArgs: args, result: prevResult } = attachment;
    for (const plugin of network.plugins.toReversed()) {
      const config = pluginInput(plugin, network, { args, prevResult });
      const netns = netnsOf(pid);
      await runPlugin({ command: 'DEL', type: plugin.type, binDirs, netns, config, ...attachment });
    }
    await cache.remove(attachment);
  }

  function failure(call: string, what: string, error: unknown): RuntimeError {
    const words = errorText(error);
    const detail = `networkPlugin ${name} ${what}: ${words}`;
    return new RuntimeError('failed', `${call}: ${detail}`, { detail, cause: error });
  }

  return {
    async connect(pod, steps) {
      const { metadata } = pod.config;
      try {
        await add(pod, steps);
      } catch (error) {
        await this.disconnect(pod).catch(() => undefined); // Done again when the sandbox is stopped.
        const what = `failed to set up pod "${metadata.name}_${metadata.namespace}" network`;
        throw failure('RunPodSandbox', what, error);
      }
    },
    async runAlone(pod, { interfaceName: device, ...config }) {
      const [containerId, netns, args] = [pod.sandboxId, netnsOf(pod.pid), podArgs(pod)];
      const plugin = { type: config.type, config, containerId, netns, args, interfaceName: device };
      await runPlugin({ command: 'ADD', binDirs, ...plugin });
    },
    async disconnect({ sandboxId, pid }) {
      const attachment = await cache.read(sandboxId, interfaceName);
      if (attachment === undefined) return;
      try {
        await remove(attachment, pid);
      } catch (error) {
        throw failure('StopPodSandbox', `failed to teardown pod of sandbox "${sandboxId}" network`, error);
      }
    },
    addresses: async (sandboxId) => resultAddresses((await cache.read(sandboxId, interfaceName))?.result),
    sandboxIds: (networkName) => cache.containerIds(networkName, interfaceName),
  };
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
