import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { notFound } from '../../machinery/errors/index.ts';
import { podPluginDirectory } from '../container-config/index.ts';
import type { SecretPlace } from './csi-source.ts';
import { describeError } from './describe-error.ts';
import type { VolumeJob } from './volume-tools.ts';

/** The key of a client of Ceph: the text of the secret's last value, whatever its name. Undefined without a secret. @throws Error with release 1.20's message */
export async function readCephKey(
  { tools }: VolumeJob,
  secret: SecretPlace | undefined,
): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  const { namespace, name } = secret;
  if (tools.objects === undefined) throw new Error(tools.dialect.spell('cannot get orch client'));
  try {
    const found = await tools.objects.secret(namespace, name);
    if (found === undefined) throw notFound({ group: '', resource: 'secrets' }, name);
    const data = Object.values(found.data ?? {}).at(-1) ?? '';
    return Buffer.from(data, 'base64').toString('utf8').trim() || undefined;
  } catch (cause) {
    throw new Error(`Couldn't get secret ${namespace}/${name} err: ${describeError(cause)}`, { cause });
  }
}

/** The key that a program is given, and what for; without a key there is no file. */
export interface KeyToHand {
  readonly key: string | undefined;
  /** Of the volume. */
  readonly kind: 'cephfs' | 'rbd';
}

/** A key is handed over in a file that only root may read, and that is gone afterwards: arguments are everybody's to see. */
export async function withKeyFile<T>(
  { podDir, tools }: VolumeJob,
  { key, kind }: KeyToHand,
  use: (file: string | undefined) => Promise<T>,
): Promise<T> {
  if (key === undefined) return use(undefined);
  const parent = podPluginDirectory(podDir, tools.dialect.label(kind));
  await mkdir(parent, { recursive: true, mode: 0o750 });
  const folder = await mkdtemp(posix.join(parent, 'key-'));
  try {
    const file = posix.join(folder, 'secret');
    await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
