import { notFound } from '../../machinery/errors/index.ts';
import { attachDisk, type ChapAccess } from '../disks/index.ts';
import { describeError } from './describe-error.ts';
import { type DiskJob, type DiskState, initializationError, stepError } from './disk-state.ts';

/** Brings the disk of a volume to the node, and gives the path of its device. @throws MountStepError */
export async function attachSource({ host }: DiskState, disk: DiskJob): Promise<string> {
  const { source } = disk;
  const chap = await readChap(disk).catch((cause) => {
    throw initializationError(source, cause);
  });
  return attachDisk(host, disk.disk, chap).catch((cause) => {
    throw stepError(source, 'WaitForAttach', cause);
  });
}

/** What the target wants to be told; undefined when it asks for nothing. @throws Error with release 1.20's message */
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
