import { errorText, type Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { PluginHandler, PluginInfo } from '../plugin-registration/index.ts';
import type { CsiDriver } from './csi-driver.ts';
import type { CsiNode } from './csi-node.ts';
import { highestVersion, isLowerVersion } from './driver-version.ts';

/** Where drivers are shown, and what they are called with. */
export interface CsiDriversOptions {
  readonly csiNode: CsiNode;
  readonly dialect: Dialect;
  readonly logger: Logger;
}

/** The drivers of the container storage interface that are registered on this node, by their names. */
export class CsiDrivers implements PluginHandler, Disposable {
  readonly #options: CsiDriversOptions;
  readonly #drivers = new Map<string, CsiDriver>();
  readonly #prefix: string;

  constructor(options: CsiDriversOptions) {
    this.#options = options;
    this.#prefix = `${options.dialect.label('csi')}: `;
  }

  /** @throws Error with release 1.20's message when there is no such driver now */
  get(name: string): CsiDriver {
    const driver = this.#drivers.get(name);
    if (driver !== undefined) return driver;
    throw new Error(`driver name ${name} not found in the list of registered CSI drivers`);
  }

  async validate(plugin: PluginInfo): Promise<void> {
    this.#versionOf(plugin, 'ValidatePlugin');
  }

  async register(plugin: PluginInfo): Promise<void> {
    const { name, endpoint } = plugin;
    const { csiNode, logger } = this.#options;
    const version = this.#versionOf(plugin, 'RegisterPlugin');
    // Loaded with the first driver: most nodes have none.
    const { CsiDriver } = await import('./csi-driver.ts');
    const driver = new CsiDriver(name, version, endpoint);
    try {
      const info = await driver.call('NodeGetInfo', {});
      await csiNode.install(name, {
        nodeId: info.node_id,
        maxVolumes: info.max_volumes_per_node,
        topology: info.accessible_topology?.segments ?? {},
      });
    } catch (error) {
      driver[Symbol.dispose]();
      throw error;
    }
    this.#drivers.get(name)?.[Symbol.dispose]();
    this.#drivers.set(name, driver);
    logger.info('CSI driver registered', { name, endpoint, version: driver.version });
  }

  async unregister({ name }: PluginInfo): Promise<void> {
    this.#drivers.get(name)?.[Symbol.dispose]();
    this.#drivers.delete(name);
    try {
      await this.#options.csiNode.uninstall(name);
    } catch (cause) {
      const message = `Error uninstalling CSI driver: ${errorText(cause)}`;
      throw new Error(`${this.#prefix}${message}`, { cause });
    }
  }

  /** Drivers stay shown on the node: they serve its pods on. */
  [Symbol.dispose](): void {
    for (const driver of this.#drivers.values()) driver[Symbol.dispose]();
    this.#drivers.clear();
  }

  #versionOf({ name, versions }: PluginInfo, caller: string): string {
    const failed = `${this.#prefix}${caller} for CSI driver "${name}" failed.`;
    if (versions.length === 0) {
      throw new Error(`${failed} Plugin returned an empty list for supported versions`);
    }
    let version: string;
    try {
      version = highestVersion(versions);
    } catch (cause) {
      const list = `[${versions.map((text) => `"${text}"`).join(' ')}]`;
      throw new Error(
        `${failed} None of the versions specified ${list} are supported. err=${errorText(cause)}`,
        { cause },
      );
    }
    const known = this.#drivers.get(name);
    if (known === undefined || isLowerVersion(known.version, version)) return version;
    const what = 'Another driver with the same name is already registered with a higher supported version';
    throw new Error(`${failed} ${what}: "${known.version}"`);
  }
}
