import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProgramResult } from '../../src/nodeagent/host/index.ts';
import { addDevice, dropDevice } from './scsi-machine.ts';

/** An image of a pool. */
interface CephImage {
  readonly file: string;
  /** How often somebody asks until no other client has it any more. */
  watchedFor: number;
}

/** A cluster whose images a machine of folders (`scsi-machine.ts`) maps by what stands for `rbd(8)`. */
export class CephCluster {
  readonly #folder: string;
  /** By `POOL/IMAGE`. */
  readonly images = new Map<string, CephImage>();
  /** Key that clients must have. */
  key = '';
  /** Calls so far; files of keys are `KEYFILE`. */
  readonly calls: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  async run(args: readonly string[]): Promise<ProgramResult> {
    const keyFile = args.includes('--keyfile') ? (args[args.indexOf('--keyfile') + 1] ?? '') : '';
    this.calls.push(args.map((one) => (one === keyFile ? 'KEYFILE' : one)).join(' '));
    const [verb, name = ''] = args;
    if (verb === 'unmap') return this.#unmap(name);
    const key = keyFile === '' ? '' : (await readFile(keyFile, 'utf8')).trim();
    if (key !== this.key) return { code: 1, output: `rbd: couldn't connect to the cluster!` };
    const path = verb === 'status' ? `${args[args.indexOf('--pool') + 1]}/${name}` : name;
    const image = this.images.get(path);
    if (image === undefined)
      return { code: 2, output: `rbd: error opening image ${name}: (2) No such file or directory` };
    if (verb === 'map') return this.#map(path, image);
    if (image.watchedFor-- <= 0) return { code: 0, output: 'Watchers: none' };
    return { code: 0, output: 'Watchers:\n\twatcher=192.0.2.7:0/710245699 client.14163 cookie=1' };
  }

  async #map(path: string, { file }: CephImage): Promise<ProgramResult> {
    const devices = join(this.#folder, 'sys/bus/rbd/devices');
    await mkdir(devices, { recursive: true });
    const id = (await readdir(devices)).length;
    const [pool = '', name = ''] = path.split('/');
    await addDevice(this.#folder, `rbd${id}`, file);
    await mkdir(join(devices, `${id}`));
    await writeFile(join(devices, `${id}`, 'pool'), `${pool}\n`);
    await writeFile(join(devices, `${id}`, 'name'), `${name}\n`);
    return { code: 0, output: `/dev/rbd${id}` };
  }

  async #unmap(device: string): Promise<ProgramResult> {
    const name = device.split('/').at(-1) ?? '';
    await dropDevice(this.#folder, name);
    await rm(join(this.#folder, 'sys/bus/rbd/devices', name.slice('rbd'.length)), { recursive: true });
    return { code: 0, output: '' };
  }
}
