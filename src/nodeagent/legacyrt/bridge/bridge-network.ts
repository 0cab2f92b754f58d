import { dirname, join } from 'node:path';
import { errorText, type Logger } from '../../../base/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import type { RunProgram } from '../../host/index.ts';
import { createAttachments, findPlugin } from '../cni/index.ts';
import type { PodNetwork } from '../pod-network.ts';
import { BridgeKeeper } from './bridge-keeper.ts';
import { allowBridgeRules } from './bridge-rules.ts';
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
  /** Largest packet of pods and bridge; 0 for the usual one. */
  readonly mtuBytes: number;
  readonly hairpinMode: HairpinMode;
  /** Packets to addresses outside this range get the node's address; with a range of all addresses none do. */
  readonly nonMasqueradeCidr: string;
}

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
  const { binDirs, cacheDir, run, settingsRoot, dialect, logger, hairpinMode } = options;
  const name = dialect.spell('orchnet');
  const mtuBytes = options.mtuBytes === 0 ? usualMtuBytes : options.mtuBytes;
  // Beside the results, as with the plugins' own folders.
  const addressFolder = join(dirname(cacheDir), 'networks');
  const attachments = createAttachments({ name, binDirs, cacheDir, podCidr: () => '', dialect });
  const keeper = new BridgeKeeper({ bridge, mtuBytes, hairpinMode, run, dialect, logger });
  let ranges: readonly PodRange[] | undefined;

  const prepareHost = once(async () => {
    await allowBridgeRules({ run, settingsRoot, logger });
    await settleMasquerade(options);
  });
  const prepareBridge = once(async (known: readonly PodRange[]) => {
    await keeper.settle(known);
    await removeLeftovers({ ...options, attachments, networkName: name, addressFolder });
  });

  /** Why pods cannot be connected. */
  async function problem(): Promise<string | undefined> {
    try {
      await prepareHost();
      if (ranges === undefined)
        return `${name} does not have netConfig. This is most likely due to lack of PodCIDR`;
      for (const plugin of requiredPlugins)
        await findPlugin(plugin, binDirs).catch(() => missingPlugins(name, binDirs));
      await prepareBridge(ranges);
      return undefined;
    } catch (error) {
      return errorText(error);
    }
  }

  /** After the plugins, of which the first pod's makes the bridge. */
  async function finish(known: readonly PodRange[]): Promise<void> {
    await keeper.keep(known);
    await keepMasquerade(options).catch((error: unknown) =>
      logger.error('pod masquerade rule failed', { error }),
    );
  }
  const inTurn = takingTurns();

  return {
    engineMode: 'none',
    mapsPorts: false,
    problem,
    async setPodCidr(podCidr) {
      const given = parsePodRanges(podCidr);
      if (given === undefined || ranges !== undefined) {
        logger.info('pod CIDR ignored: invalid, or another one is in use', { podCidr });
        return;
      }
      logger.info('pod CIDR set', { podCidr, bridge, mtuBytes, hairpinMode });
      ranges = given;
    },
    async connect(pod) {
      const why = await problem();
      const known = ranges ?? [];
      await attachments.connect(pod, {
        async network(args) {
          if (why !== undefined) throw new Error(`${dialect.spell('Orchnet')} cannot SetUpPod: ${why}`);
          await attachments.runAlone(pod, loopbackPlugin(name));
          return podNetworkConfig(
            { name, bridge, mtuBytes, hairpinMode, ranges: known, addressFolder },
            args,
          );
        },
        finish: () => inTurn(() => finish(known)),
      });
    },
    disconnect: (pod) => attachments.disconnect(pod),
    addresses: ({ Id }) => attachments.addresses(Id),
  };
}

function missingPlugins(name: string, binDirs: readonly string[]): never {
  const folders = binDirs.map((folder) => JSON.stringify(folder)).join(' ');
  throw new Error(
    `could not locate ${name} required CNI plugins [${requiredPlugins.join(' ')}] at [${folders}]`,
  );
}

/** Does its work once; what failed is tried again by the next call. */
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

/** Rules are looked for and then made: two at a time would make them twice. */
function takingTurns(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
