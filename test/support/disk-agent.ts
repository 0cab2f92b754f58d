import { readdir } from 'node:fs/promises';
import type { PodVolumes, PodVolumesOptions } from '../../src/nodeagent/volumes/index.ts';
import { StorageNetwork } from './storage-network.ts';
import type { TemporaryDirectory } from './temporary-directory.ts';
import { VolumeAgent } from './volume-agent.ts';

/** An agent whose machine reaches a storage network. */
export class DiskAgent extends VolumeAgent {
  readonly network: StorageNetwork;

  constructor(directory: TemporaryDirectory) {
    super(directory);
    this.network = this.needed.use(new StorageNetwork(directory.path));
  }

  override create(options: Partial<PodVolumesOptions> = {}): PodVolumes {
    return super.create({ clock: this.network.machine.clock(), disks: this.network, ...options });
  }

  /** Names of the block devices of the machine, when it has done what it was asked for. */
  async devices(): Promise<string[]> {
    await this.network.machine.settle();
    return (await readdir(this.network.devFolder).catch(() => [])).filter((name) => name !== 'disk');
  }
}
