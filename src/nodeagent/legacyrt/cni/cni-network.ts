import { createDialect, type Dialect } from '../../../machinery/dialect.ts';
import { RuntimeError } from '../../runtime/index.ts';
import { namePrefix } from '../container-names.ts';
import type { PodNetwork, PodToConnect } from '../pod-network.ts';
import { capabilityArgs, pluginInput } from './capabilities.ts';
import { type NetworkConfig, readNetwork } from './read-networks.ts';
import { resultAddresses } from './result-addresses.ts';
import { type Attachment, ResultCache } from './result-cache.ts';
import { runPlugin } from './run-plugin.ts';

export interface CniNetworkOptions {
  readonly confDir: string;
  readonly binDirs: readonly string[];
  readonly cacheDir: string;
  readonly dialect: Dialect;
}

const interfaceName = 'eth0';

/** Plugins know the names of a pod's arguments in one spelling only. */
const argPrefix = namePrefix(createDialect('kubernetes')).toUpperCase();

/** Networks by plugins, of the configuration that is in the folder when a pod comes. */
export function createCniNetwork(options: CniNetworkOptions): PodNetwork {
  const { confDir, binDirs, dialect } = options;
  const cache = new ResultCache(options.cacheDir);
  const bandwidthAnnotations = {
    ingress: dialect.label('ingress-bandwidth'),
    egress: dialect.label('egress-bandwidth'),
  };
  let podCidr = '';

  async function add(pod: PodToConnect, network: NetworkConfig): Promise<void> {
    const begun: Attachment = {
      containerId: pod.sandboxId,
      interfaceName,
      network,
      args: podArgs(pod),
      capabilityArgs: capabilityArgs({ config: pod.config, podCidr, bandwidthAnnotations }),
      result: undefined,
    };
    // Before the plugins do anything: it is taken back then even after a crash.
    await cache.write(begun);
    let result: unknown;
    for (const plugin of network.plugins) {
      const config = pluginInput(plugin, network, { args: begun.capabilityArgs, prevResult: result });
      const netns = netnsOf(pod.pid);
      result = await runPlugin({ command: 'ADD', type: plugin.type, binDirs, netns, config, ...begun });
    }
    await cache.write({ ...begun, result });
  }

  async function remove(attachment: Attachment, pid: number): Promise<void> {
    const { network, capabilityArgs: args, result: prevResult } = attachment;
    for (const plugin of network.plugins.toReversed()) {
      const config = pluginInput(plugin, network, { args, prevResult });
      await runPlugin({
        command: 'DEL',
        type: plugin.type,
        binDirs,
        netns: netnsOf(pid),
        config,
        ...attachment,
      });
    }
    await cache.remove(attachment);
  }

  return {
    engineMode: 'none',
    mapsPorts: false,
    async problem() {
      const network = await readNetwork(confDir);
      return 'problem' in network ? 'cni config uninitialized' : undefined;
    },
    setPodCidr(cidr) {
      podCidr = cidr;
    },
    async connect(pod) {
      const name = `${pod.config.metadata.name}_${pod.config.metadata.namespace}`;
      const network = await readNetwork(confDir);
      try {
        if ('problem' in network) throw new Error(`cni config uninitialized: ${network.problem}`);
        await add(pod, network);
      } catch (error) {
        await this.disconnect(pod).catch(() => undefined); // Done again when the sandbox is stopped.
        throw failure('RunPodSandbox', `failed to set up pod "${name}" network`, error);
      }
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
    async addresses({ Id }) {
      return resultAddresses((await cache.read(Id, interfaceName))?.result);
    },
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

function failure(call: string, what: string, error: unknown): RuntimeError {
  const words = error instanceof Error ? error.message : String(error);
  const detail = `networkPlugin cni ${what}: ${words}`;
  return new RuntimeError('failed', `${call}: ${detail}`, { detail, cause: error });
}
