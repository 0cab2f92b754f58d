import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger, systemClock } from '../../src/base/index.ts';
import { orchDialect } from '../../src/machinery/dialect.ts';
import { CsiDrivers, CsiNode } from '../../src/nodeagent/csi/index.ts';
import { PluginWatcher } from '../../src/nodeagent/plugin-registration/index.ts';
import type { CsiSettings, NodeVolumes } from '../../src/nodeagent/volumes/index.ts';
import { fakeRestClient } from '../unit/nodeagent/fake-rest.ts';
import { type CsiCall, type CsiDriverProcess, type CsiDriverSettings, startCsiDriver } from './csi-driver.ts';
import { eventually } from './eventually.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';
import { VolumeAgent } from './volume-agent.ts';

const features: CsiSettings['features'] = {
  CSIInlineVolume: true,
  CSIVolumeFSGroupPolicy: true,
  CSIServiceAccountToken: false,
  ExpandCSIVolumes: true,
  ExpandPersistentVolumes: true,
  ExpandInUsePersistentVolumes: true,
};

const common = { dialect: orchDialect, clock: systemClock, logger: silentLogger };

/** The node's list of drivers, which nobody reads here. */
function createCsiNode(): CsiNode {
  const shown = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node1', uid: 'node-uid' } };
  const client = fakeRestClient(({ path, method }) => ({
    status: 200,
    body: path.includes('/csinodes') && method === 'GET' ? { metadata: {}, spec: { drivers: [] } } : shown,
  }));
  return new CsiNode({ ...common, client, nodeName: 'node1', migratedPlugins: [] });
}

/** An agent with which drivers of the container storage interface can register. */
export class CsiAgent extends VolumeAgent {
  readonly drivers = this.needed.use(new CsiDrivers({ ...common, csiNode: createCsiNode() }));
  /** What the status of its node says of volumes. */
  node: NodeVolumes = {};
  readonly #registry = join(this.root, 'plugins_registry');

  static async start(): Promise<CsiAgent> {
    const agent = new CsiAgent(await makeTemporaryDirectory());
    await agent.#watchRegistry();
    return agent;
  }

  async #watchRegistry(): Promise<void> {
    const handlers = { CSIPlugin: this.drivers };
    const watcher = new PluginWatcher({ ...common, folder: this.#registry, handlers });
    await watcher.start();
    this.needed.use(watcher);
  }

  /** How volumes of drivers are made here: with all features but tokens, attached by a controller. */
  settings(gates: Partial<CsiSettings['features']> = {}): CsiSettings {
    return {
      drivers: this.drivers,
      nodeName: 'node1',
      features: { ...features, ...gates },
      attacher: { kind: 'controller', node: () => this.node },
    };
  }

  /** Starts a driver and waits until it is registered. */
  async startDriver(given: Partial<CsiDriverSettings> = {}): Promise<CsiDriverProcess> {
    const folder = join(this.folder, 'driver');
    const started = this.needed.use(await startCsiDriver({ folder, registry: this.#registry, ...given }));
    // It is in use before it learns so.
    await eventually(async () => (await started.calls()).find(([method]) => method === 'Registered'));
    return started;
  }

  /** What is left of volumes below the root folder. */
  async files(): Promise<string[]> {
    const all = await readdir(this.root, { recursive: true });
    return all.filter(
      (path) => !/^(?:plugins_registry|pods$|plugins(?:\/orch\.io(?:\/csi(?:\/\w+)*)?)?$)/.test(path),
    );
  }
}

/** Methods of the calls. */
export const methodsOf = (calls: readonly CsiCall[]): string[] => calls.map(([method]) => method);

/** Calls since the last question, but for those about what the driver can do. */
export const callsOf = async (driver: CsiDriverProcess): Promise<CsiCall[]> =>
  (await driver.calls()).filter(([method]) => method !== 'NodeGetCapabilities');
