import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../../base/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import type { RunProgram } from '../../host/index.ts';
import { type BridgeLink, parseBridge, parsePorts, planBridge } from './bridge-link.ts';
import {
  dedupRules,
  hasEbtables,
  keepsDedupRules,
  removeDedupRules,
  settleDedupRules,
} from './dedup-rules.ts';
import type { HairpinMode, PodRange } from './network-config.ts';

/** Name and settings of the bridge that is kept as desired, and how `ip` and `ebtables` are run. */
export interface BridgeKeeperOptions {
  readonly bridge: string;
  readonly mtuBytes: number;
  readonly hairpinMode: HairpinMode;
  readonly run: RunProgram;
  readonly dialect: Dialect;
  readonly logger: Logger;
}

/** Configures the bridge that the CNI plugins create. */
export class BridgeKeeper {
  readonly #options: BridgeKeeperOptions;
  /** Whether the machine has `ebtables`; undefined before the first check. */
  #hasEbtables: boolean | undefined;
  /** The rules that were made last. */
  #rules = '';

  constructor(options: BridgeKeeperOptions) {
    this.#options = options;
  }

  /** Adapts a bridge of an earlier process to the options. @throws Error when that is refused */
  async settle(ranges: readonly PodRange[]): Promise<void> {
    const { bridge, hairpinMode } = this.#options;
    if (hairpinMode !== 'promiscuous-bridge') await removeDedupRules(this.#options);
    const link = await this.#readLink();
    if (link === undefined) return;
    if (link.kind !== 'bridge') throw new Error(`"${bridge}" already exists but is not a bridge`);
    const { output } = await this.#ip('-details', '-json', 'link', 'show', 'master', bridge);
    for (const args of planBridge(link, parsePorts(output), { ...this.#options, ranges }))
      await this.#change(args);
  }

  /** Configures what the plugins leave out, once the bridge exists. @throws Error when that is refused */
  async keep(ranges: readonly PodRange[]): Promise<void> {
    const { bridge, hairpinMode } = this.#options;
    if (hairpinMode !== 'promiscuous-bridge') return;
    const link = await this.#readLink();
    if (link === undefined) throw new Error(`failed to lookup "${bridge}"`);
    if (!link.isPromiscuous) await this.#change(['link', 'set', 'dev', bridge, 'promisc', 'on']);
    await this.#keepRules(link, ranges);
  }

  /** Best effort: without these rules some packets arrive twice. */
  async #keepRules(link: BridgeLink, ranges: readonly PodRange[]): Promise<void> {
    const { logger, run } = this.#options;
    if (this.#hasEbtables === undefined) {
      this.#hasEbtables = await hasEbtables(run);
      if (!this.#hasEbtables) {
        logger.info('ebtables not found: packets that pods send to themselves may arrive twice');
      }
    }
    if (!this.#hasEbtables) return;
    const rules = dedupRules(link, ranges);
    const text = JSON.stringify(rules);
    if (text === this.#rules && (await keepsDedupRules(rules.length, this.#options))) return;
    await settleDedupRules(rules, this.#options).then(
      () => {
        this.#rules = text;
      },
      (error: unknown) => logger.error('ebtables deduplication rules failed', { error }),
    );
  }

  async #readLink(): Promise<BridgeLink | undefined> {
    return parseBridge(
      (await this.#ip('-details', '-json', 'address', 'show', 'dev', this.#options.bridge)).output,
    );
  }

  async #change(args: readonly string[]): Promise<void> {
    const { code, output } = await this.#ip(...args);
    if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${output}`);
    this.#options.logger.info('pod bridge reconfigured', { change: args.join(' ') });
  }

  #ip(...args: readonly string[]) {
    return this.#options.run('ip', args);
  }
}

/** How iptables is run, and where the kernel settings of bridges are. */
interface BridgeRulesOptions {
  readonly run: RunProgram;
  readonly settingsRoot: string;
  readonly logger: Logger;
}

const setting = 'net/bridge/bridge-nf-call-iptables';

/** Makes packets that cross bridges pass `iptables`, as service proxies need it. Never rejects: pods work without. */
export async function allowBridgeRules({ run, settingsRoot, logger }: BridgeRulesOptions): Promise<void> {
  await run('modprobe', ['br-netfilter']); // Fails where it is built into the kernel.
  await writeFile(join(settingsRoot, setting), '1').catch((error: unknown) =>
    logger.info('bridge-nf-call-iptables update failed: bridged packets bypass iptables', {
      setting,
      error: String(error),
    }),
  );
}
