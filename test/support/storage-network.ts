import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunProgram, runProgram } from '../../src/nodeagent/host/index.ts';
import { CephCluster } from './ceph-cluster.ts';
import { ScsiMachine, type ScsiTarget } from './scsi-machine.ts';

const program = join(import.meta.dirname, 'iscsiadm-program.ts');

/** A storage network, and the machine in a folder that can reach it. */
export class StorageNetwork implements AsyncDisposable {
  readonly folder: string;
  readonly machine: ScsiMachine;
  readonly ceph: CephCluster;
  readonly devFolder: string;
  readonly sysFolder: string;
  /** Target with which no session can be ended. */
  stuck = '';
  readonly #targets: Record<string, ScsiTarget> = {};

  constructor(folder: string) {
    this.folder = folder;
    this.machine = new ScsiMachine(folder);
    this.ceph = new CephCluster(folder);
    this.devFolder = join(folder, 'dev');
    this.sysFolder = join(folder, 'sys');
  }

  /** Runs `iscsiadm`, `multipath` and `rbd` of the folder, loads no kernel modules, and other programs of this machine. */
  readonly run: RunProgram = async (name, args, timeoutMs) => {
    if (args.includes('--logout') && args.includes(this.stuck)) return { code: 8, output: 'iSCSI timed out' };
    if (name === 'iscsiadm') return runProgram(process.execPath, [program, this.folder, ...args], timeoutMs);
    if (name === 'rbd') return this.ceph.run(args);
    if (name === 'modprobe') return { code: 0, output: '' };
    if (name !== 'multipath') return runProgram(name, args, timeoutMs);
    await this.machine.flushMultipath(args[1] ?? '');
    return { code: 0, output: '' };
  };

  /** A disk image of 16 MB. */
  async makeImage(name: string): Promise<string> {
    const image = join(this.folder, name);
    await writeFile(image, '');
    await truncate(image, 16 << 20);
    return image;
  }

  async setTarget(iqn: string, target: ScsiTarget): Promise<void> {
    this.#targets[iqn] = target;
    await writeFile(join(this.folder, 'targets.json'), JSON.stringify(this.#targets));
  }

  /** Calls of `iscsiadm` since the last question, without those values that are secret. */
  async calls(): Promise<string[]> {
    const file = join(this.folder, 'calls');
    const text = await readFile(file, 'utf8').catch(() => '');
    await writeFile(file, '');
    return text.trim().split('\n').filter(Boolean);
  }

  /** Records and sessions of `iscsiadm`. */
  async records(): Promise<{
    readonly ifaces: Record<string, Record<string, string>>;
    readonly nodes: Record<string, Record<string, string>>;
    readonly sessions: readonly { readonly portal: string; readonly iface: string }[];
  }> {
    return JSON.parse(await readFile(join(this.folder, 'iscsiadm.json'), 'utf8'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.machine[Symbol.asyncDispose]();
  }
}
