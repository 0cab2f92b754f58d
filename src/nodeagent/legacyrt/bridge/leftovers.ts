import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../../base/index.ts';
import { isIpText } from '../../../machinery/formats/index.ts';
import type { Attachments } from '../cni/attachments.ts';

/** Where attachments and addresses of pods are recorded, and which containers still exist. */
export interface LeftoversOptions {
  readonly attachments: Pick<Attachments, 'sandboxIds' | 'disconnect'>;
  readonly networkName: string;
  /** Where addresses that are in use are kept, a folder for each network. */
  readonly addressFolder: string;
  /** All containers that the engine has, running or not. */
  readonly containerIds: () => Promise<ReadonlySet<string>>;
  readonly logger: Logger;
}

/**
 * Disconnects pods whose containers no longer exist, and frees their host ports and addresses, also addresses without a
 * recorded attachment.
 *
 * @throws RuntimeError when the engine does not answer
 */
export async function removeLeftovers(options: LeftoversOptions): Promise<void> {
  const { attachments, networkName, logger } = options;
  const folder = join(options.addressFolder, networkName);
  // Attachments are listed first: each of them belongs to a container that the later list has, unless it is gone.
  const sandboxIds = await attachments.sandboxIds(networkName);
  const addresses = await readAddresses(folder);
  if (sandboxIds.length + addresses.length === 0) return;
  const present = await options.containerIds();
  for (const sandboxId of sandboxIds.filter((id) => !present.has(id))) {
    await attachments.disconnect({ sandboxId, pid: 0 }).then(
      () => logger.info('orphaned pod network torn down', { sandboxId }),
      (error: unknown) => logger.error('orphaned pod network teardown failed', { sandboxId, error }),
    );
  }
  for (const { address, containerId } of addresses) {
    if (!present.has(containerId)) await rm(join(folder, address), { force: true });
  }
}

/** Files of `host-local`: named after an address, with the container's id in the first line. */
async function readAddresses(folder: string) {
  const names = (await readdir(folder).catch(() => [])).filter(isIpText);
  const found = names.map(async (address) => {
    const text = await readFile(join(folder, address), 'utf8').catch(() => undefined);
    const containerId = text?.split('\n')[0]?.trim() ?? '';
    return containerId === '' ? [] : [{ address, containerId }];
  });
  return (await Promise.all(found)).flat();
}
