import { notFound } from '../../machinery/errors/index.ts';
import type { ChapAccess } from '../disks/iscsi-disk.ts';
import { attachDisk, type DiskAccess } from '../disks/network-disk.ts';
import { readCephKey, withKeyFile } from './ceph-key.ts';
import { describeError } from './describe-error.ts';
import { type DiskJob, type DiskState, initializationError, stepError } from './disk-state.ts';

/** Brings the disk of a volume to the node, and gives the path of its device. @throws MountStepError */
export async function attachSource({ host }: DiskState, disk: DiskJob): Promise<string> {
  const { source, job } = disk;
  const attach = (access: DiskAccess): Promise<string> =>
    attachDisk(host, disk.disk, access).catch((cause) => {
      throw stepError(source, 'WaitForAttach', cause);
    });
  const orRefuse = (cause: unknown): never => {
    throw initializationError(source, cause);
  };
  if (source.disk.kind !== 'rbd') return attach({ chap: await readChap(disk).catch(orRefuse) });
  const { rbd, isShared } = source.disk;
  const key = await readCephKey(job, source.secret).catch(orRefuse);
  const { monitors, user = 'admin', keyring = '/etc/ceph/keyring' } = rbd;
  return withKeyFile(job, { key, kind: 'rbd' }, (keyFile) =>
    attach({ rbd: { monitors: monitors ?? [], user, keyring, keyFile, isShared } }),
  );
}

/** What an iSCSI target wants to be told; undefined when it asks for nothing. @throws Error with release 1.20's message */
async function readChap({
  job: { tools },
  source: { disk, secret },
}: DiskJob): Promise<ChapAccess | undefined> {
  if (disk.kind !== 'iscsi') return undefined;
  const { chapAuthDiscovery, chapAuthSession } = disk.iscsi;
  const access = { discovery: chapAuthDiscovery === true, session: chapAuthSession === true };
  if (!access.discovery && !access.session) return undefined;
  if (secret === undefined) return { ...access, secrets: {} };
  const { namespace, name } = secret;
  if (tools.objects === undefined) throw new Error(tools.dialect.spell('cannot get orch client'));
  try {
    const found = await tools.objects.secret(namespace, name);
    if (found === undefined) throw notFound({ group: '', resource: 'secrets' }, name);
    return { ...access, secrets: found.data ?? {} };
  } catch (cause) {
    throw new Error(`couldn't get secret ${namespace}/${name} error: ${describeError(cause)}`, { cause });
  }
}
