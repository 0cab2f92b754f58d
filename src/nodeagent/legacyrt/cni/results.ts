import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asJsonObject, writeFileAtomic } from '../../../base/index.ts';
import type { CapabilityArgs } from './capabilities.ts';
import { type NetworkConfig, parseNetwork } from './read-networks.ts';

/** Record of a connected pod: enough to read its addresses, and to disconnect it. */
export interface Attachment {
  readonly containerId: string;
  readonly interfaceName: string;
  readonly network: NetworkConfig;
  readonly args: readonly (readonly [name: string, value: string])[];
  readonly capabilityArgs: CapabilityArgs;
  /** Undefined while plugins are run, or after one of them failed. */
  readonly result: unknown;
}

/** Format of the files: that of the CNI library (containernetworking/cni, `libcni`). */
const kind = 'cniCacheV1';

/** Attachments in files of a folder, one each, in the format of the CNI library. */
export class ResultCache {
  readonly #folder: string;

  constructor(cacheDir: string) {
    this.#folder = join(cacheDir, 'results');
  }

  async write(attachment: Attachment): Promise<void> {
    const { containerId, interfaceName, network, args, capabilityArgs, result } = attachment;
    const content = {
      kind,
      containerId,
      config: Buffer.from(JSON.stringify(network)).toString('base64'),
      ifName: interfaceName,
      networkName: network.name,
      cniArgs: args,
      capabilityArgs,
      ...(result === undefined ? {} : { result }),
    };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFileAtomic(this.#pathOf(attachment), JSON.stringify(content));
  }

  /** Undefined for a container that is not connected. Files that cannot be read count as none. */
  async read(containerId: string, interfaceName: string): Promise<Attachment | undefined> {
    const names = await readdir(this.#folder).catch(() => []);
    const name = names.find((each) => each.endsWith(`-${containerId}-${interfaceName}`));
    if (name === undefined) return undefined;
    try {
      const text = await readFile(join(this.#folder, name), 'utf8');
      const content = asJsonObject(JSON.parse(text));
      const { config, cniArgs, capabilityArgs, result } = content;
      return {
        containerId,
        interfaceName,
        network: parseNetwork(Buffer.from(String(config), 'base64').toString('utf8')),
        // The library writes null for what is empty; everything else is checked by those who use it.
        args: (cniArgs ?? []) as Attachment['args'],
        capabilityArgs: (capabilityArgs ?? {}) as CapabilityArgs,
        result,
      };
    } catch {
      return undefined;
    }
  }

  /** Containers that are kept of a network. */
  async containerIds(networkName: string, interfaceName: string): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const [head, tail] = [`${networkName}-`, `-${interfaceName}`];
    return names
      .filter((name) => name.startsWith(head) && name.endsWith(tail))
      .map((name) => name.slice(head.length, -tail.length));
  }

  async remove(attachment: Attachment): Promise<void> {
    await rm(this.#pathOf(attachment), { force: true });
  }

  #pathOf({ network, containerId, interfaceName }: Attachment): string {
    return join(this.#folder, `${network.name}-${containerId}-${interfaceName}`);
  }
}

interface AddressEntry {
  readonly address?: unknown;
  readonly ip?: unknown;
  readonly interface?: unknown;
}

interface Result {
  readonly ips?: readonly AddressEntry[];
  readonly interfaces?: readonly { readonly sandbox?: unknown }[];
  readonly ip4?: AddressEntry;
  readonly ip6?: AddressEntry;
}

/** Addresses in a plugin's result, of every CNI version; at most the first one of each family. */
export function resultAddresses(result: unknown): readonly string[] {
  if (typeof result !== 'object' || result === null) return [];
  // Whatever the fields hold is checked below.
  const { ips, ip4, ip6 } = result as Result;
  const entries = Array.isArray(ips) ? ips : [ip4, ip6];
  const texts = entries.flatMap((entry: AddressEntry | undefined) => {
    const text = entry?.address ?? entry?.ip;
    return typeof text === 'string' && text !== '' ? [text.split('/')[0] ?? ''] : [];
  });
  const firstOf = (isDesired: (text: string) => boolean) => texts.find(isDesired);
  const [v4, v6] = [firstOf((text) => !text.includes(':')), firstOf((text) => text.includes(':'))];
  const found = [v4, v6].filter((text): text is string => text !== undefined && text !== '');
  return found.sort((a, b) => texts.indexOf(a) - texts.indexOf(b));
}
