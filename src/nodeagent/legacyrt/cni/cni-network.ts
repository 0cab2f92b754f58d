/**
 * Networks of pods by plugins of the container network interface (CNI): reads the first configuration of a folder, runs
 * its plugins in a pod's network namespace, and keeps their results where a restarted agent and other tools find them.
 * Knows nothing of the engine but the process that holds a namespace.
 */

import type { Dialect } from '../../../machinery/dialect.ts';
import type { PodNetwork } from '../pod-network.ts';
import { Attachments } from './attachments.ts';
import { readNetwork } from './read-networks.ts';

/** Folders of network configurations, of the plugins' programs and of their cached results. */
export interface CniNetworkOptions {
  readonly confDir: string;
  readonly binDirs: readonly string[];
  readonly cacheDir: string;
  readonly dialect: Dialect;
}

/** Networks by plugins, by the configuration that is in the folder when the pod starts. */
export function createCniNetwork(options: CniNetworkOptions): PodNetwork {
  const { confDir, ...rest } = options;
  let podCidr = '';
  const attachments = new Attachments({ ...rest, name: 'cni', podCidr: () => podCidr });
  return {
    engineMode: 'none',
    mapsPorts: false,
    async problem() {
      const network = await readNetwork(confDir);
      return 'problem' in network ? 'cni config uninitialized' : undefined;
    },
    async setPodCidr(cidr) {
      podCidr = cidr;
    },
    connect: (pod) =>
      attachments.connect(pod, {
        async network() {
          const network = await readNetwork(confDir);
          if ('problem' in network) throw new Error(`cni config uninitialized: ${network.problem}`);
          return network;
        },
      }),
    disconnect: (pod) => attachments.disconnect(pod),
    addresses: ({ Id }) => attachments.addresses(Id),
  };
}
