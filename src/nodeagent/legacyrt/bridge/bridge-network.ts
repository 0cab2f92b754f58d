/**
 * Networks of pods on a bridge of the agent's own: builds the configuration of the standard CNI plugins from the node's
 * range of addresses, configures the bridge and its packet rules, and removes attachments and addresses of pods that no
 * longer exist. Follows release 1.20's simple network plugin; there are no routes between nodes.
 */

import { dirname, join } from 'node:path';
import { errorText, type Logger } from '../../../base/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import type { RunProgram } from '../../host/index.ts';
import { Attachments } from '../cni/attachments.ts';
import { findPlugin } from '../cni/run-plugin.ts';
import type { ContainerDetails } from '../engine-types.ts';
import type { PodNetwork, PodToConnect } from '../pod-network.ts';
import { allowBridgeRules, BridgeKeeper } from './bridge-keeper.ts';
import { removeLeftovers } from './leftovers.ts';
import { keepMasquerade, settleMasquerade } from './masquerade.ts';
import {
  type HairpinMode,
  loopbackPlugin,
  type PodRange,
  parsePodRanges,
  podNetworkConfig,
  requiredPlugins,
} from './network-config.ts';

/** What the options say of the bridge. */
export interface BridgeSettings {
  /** MTU of pods and bridge in bytes; 0 for the default. */
  readonly mtuBytes: number;
  readonly hairpinMode: HairpinMode;
  /** Packets to addresses outside this range get the node's address; with a range of all addresses none do. */
  readonly nonMasqueradeCidr: string;
}

/** Settings of the bridge, folders of the CNI plugins that attach pods to it, and how the host is changed. */
export interface BridgeNetworkOptions extends BridgeSettings {
  readonly binDirs: readonly string[];
  readonly cacheDir: string;
  /** All containers that the engine has, running or not. */
  readonly containerIds: () => Promise<ReadonlySet<string>>;
  readonly run: RunProgram;
  /** Where the kernel's settings are: `/proc/sys`. */
  readonly settingsRoot: string;
  readonly dialect: Dialect;
  readonly logger: Logger;
}

const bridge = 'cbr0';
/** Leaves room for the headers of tunnels on usual networks. */
const usualMtuBytes = 1460;

/** The network of pods on this node's bridge. Pods cannot be connected before the node's range is known. */
export function createBridgeNetwork(options: BridgeNetworkOptions): PodNetwork {
  return new BridgeNetwork(options);
}

class BridgeNetwork implements PodNetwork {
  readonly engineMode = 'none';
  readonly mapsPorts = false;
  readonly #options: BridgeNetworkOptions;
  readonly #name: string;
  readonly #mtuBytes: number;
  /** Next to the cached results, where the plugins have their own folders by default. */
  readonly #addressFolder: string;
  readonly #attachments: Attachments;
  readonly #keeper: BridgeKeeper;
  readonly #inTurn = takingTurns();
  readonly #prepareHost = once(() => this.#settleHost());
  readonly #prepareBridge = once((known: readonly PodRange[]) => this.#settleBridge(known));
  #ranges: readonly PodRange[] | undefined;

  constructor(options: BridgeNetworkOptions) {
    const { binDirs, cacheDir, run, dialect, logger, hairpinMode } = options;
    const name = dialect.spell('orchnet');
    const mtuBytes = options.mtuBytes === 0 ? usualMtuBytes : options.mtuBytes;
    this.#options = options;
    this.#name = name;
    this.#mtuBytes = mtuBytes;
    this.#addressFolder = join(dirname(cacheDir), 'networks');
    this.#attachments = new Attachments({ name, binDirs, cacheDir, podCidr: () => '', dialect });
    this.#keeper = new BridgeKeeper({ bridge, mtuBytes, hairpinMode, run, dialect, logger });
  }

  async problem(): Promise<string | undefined> {
    const { binDirs } = this.#options;
    const name = this.#name;
    try {
      await this.#prepareHost();
      if (this.#ranges === undefined)
        return `${name} does not have netConfig. This is most likely due to lack of PodCIDR`;
      for (const plugin of requiredPlugins)
        await findPlugin(plugin, binDirs).catch(() => missingPlugins(name, binDirs));
      await this.#prepareBridge(this.#ranges);
      return undefined;
    } catch (error) {
      return errorText(error);
    }
  }

  async setPodCidr(podCidr: string): Promise<void> {
    const { logger, hairpinMode } = this.#options;
    const given = parsePodRanges(podCidr);
    if (given === undefined || this.#ranges !== undefined) {
      logger.info('pod CIDR ignored: invalid, or another one is in use', { podCidr });
      return;
    }
    logger.info('pod CIDR set', { podCidr, bridge, mtuBytes: this.#mtuBytes, hairpinMode });
    this.#ranges = given;
  }

  async connect(pod: PodToConnect): Promise<void> {
    const { dialect, hairpinMode } = this.#options;
    const why = await this.problem();
    const ranges = this.#ranges ?? [];
    const [name, mtuBytes, addressFolder] = [this.#name, this.#mtuBytes, this.#addressFolder];
    await this.#attachments.connect(pod, {
      network: async (args) => {
        if (why !== undefined) throw new Error(`${dialect.spell('Orchnet')} cannot SetUpPod: ${why}`);
        await this.#attachments.runAlone(pod, loopbackPlugin(name));
        return podNetworkConfig({ name, bridge, mtuBytes, hairpinMode, ranges, addressFolder }, args);
      },
      finish: () => this.#inTurn(() => this.#finish(ranges)),
    });
  }

  disconnect(pod: { readonly sandboxId: string; readonly pid: number }): Promise<void> {
    return this.#attachments.disconnect(pod);
  }

  addresses({ Id }: Pick<ContainerDetails, 'Id'>): Promise<readonly string[]> {
    return this.#attachments.addresses(Id);
  }

  async #settleHost(): Promise<void> {
    const { run, settingsRoot, logger } = this.#options;
    await allowBridgeRules({ run, settingsRoot, logger });
    await settleMasquerade(this.#options);
  }

  async #settleBridge(known: readonly PodRange[]): Promise<void> {
    await this.#keeper.settle(known);
    await removeLeftovers({
      ...this.#options,
      attachments: this.#attachments,
      networkName: this.#name,
      addressFolder: this.#addressFolder,
    });
  }

  /** Runs after the plugins: the bridge is created when the first pod is connected. */
  async #finish(known: readonly PodRange[]): Promise<void> {
    await this.#keeper.keep(known);
    await keepMasquerade(this.#options).catch((error: unknown) =>
      this.#options.logger.error('pod masquerade rule failed', { error }),
    );
  }
}

function missingPlugins(name: string, binDirs: readonly string[]): never {
  const folders = binDirs.map((folder) => JSON.stringify(folder)).join(' ');
  throw new Error(
    `could not locate ${name} required CNI plugins [${requiredPlugins.join(' ')}] at [${folders}]`,
  );
}

/** Runs the work once; after a failure the next call runs it again. */
function once<T extends readonly unknown[]>(
  work: (...args: T) => Promise<void>,
): (...args: T) => Promise<void> {
  let done: Promise<void> | undefined;
  return (...args) => {
    done ??= work(...args).catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}

/** Runs works one after another: each checks for rules and then adds them, so two at once would add them twice. */
function takingTurns(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
