import type { Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type RunProgram, runProgram } from '../host/index.ts';
import type { BridgeSettings } from './bridge/bridge-network.ts';
import { createCniNetwork } from './cni/cni-network.ts';
import { createEngineNetwork, type PodNetwork } from './pod-network.ts';

/** Which network plugin pods are attached with, and where its files are. */
export interface NetworkOptions {
  /** `cni`; `orchnet`, as the dialect spells it, for a bridge of the agent's own; empty or `noop` for the engine's own. */
  readonly networkPlugin: string;
  readonly cniConfDir: string;
  /** Folders, separated by commas. */
  readonly cniBinDir: string;
  readonly cniCacheDir: string;
  /** Counts for the agent's own bridge only. */
  readonly bridge: BridgeSettings;
  /** Programs and settings that the bridge is kept with; those of this machine when left out. */
  readonly machine?: { readonly run: RunProgram; readonly settingsRoot: string } | undefined;
  readonly dialect: Dialect;
  readonly logger: Logger;
}

const ownMachine = { run: runProgram, settingsRoot: '/proc/sys' };

/** The network that the options name. @throws RangeError when there is none of that name */
export function openNetwork(
  options: NetworkOptions,
  containerIds: () => Promise<ReadonlySet<string>>,
): PodNetwork {
  const { networkPlugin, dialect, cniConfDir: confDir, cniCacheDir: cacheDir } = options;
  const binDirs = options.cniBinDir.split(',').filter((folder) => folder !== '');
  switch (dialect.unspell(networkPlugin)) {
    case '':
    case 'noop':
      return createEngineNetwork();
    case 'cni':
      return createCniNetwork({ confDir, binDirs, cacheDir, dialect });
    case 'orchnet': {
      const { bridge, machine = ownMachine, logger } = options;
      const common = { ...bridge, ...machine, binDirs, cacheDir, containerIds, dialect, logger };
      return loadNetwork(async () =>
        (await import('./bridge/bridge-network.ts')).createBridgeNetwork(common),
      );
    }
    default:
      throw new RangeError(
        `network plugin "${networkPlugin}" not found, expected cni, ${dialect.spell('orchnet')}, noop or nothing`,
      );
  }
}

/** A network of plugins whose code is loaded for its first call. */
function loadNetwork(load: () => Promise<PodNetwork>): PodNetwork {
  let loading: Promise<PodNetwork> | undefined;
  const network = (): Promise<PodNetwork> => {
    loading ??= load();
    return loading;
  };
  return {
    engineMode: 'none',
    mapsPorts: false,
    problem: async () => (await network()).problem(),
    setPodCidr: async (podCidr) => (await network()).setPodCidr(podCidr),
    connect: async (pod) => (await network()).connect(pod),
    disconnect: async (pod) => (await network()).disconnect(pod),
    addresses: async (sandbox) => (await network()).addresses(sandbox),
  };
}
