import { mkdir } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Volume } from '../../apis/types/core-v1.ts';
import { podPluginDirectory, volumeDirectory } from '../container-config/index.ts';
import { downwardPayload } from './downward-payload.ts';
import { makeEmptyDir } from './empty-dir.ts';
import { nestedMountPoints } from './nested-mount-points.ts';
import { configMapPayload, secretPayload } from './object-payload.ts';
import { setOwnership } from './ownership.ts';
import type { Payload } from './payload.ts';
import { projectedPayload } from './projected-payload.ts';
import { readConfigMap, readSecret } from './read-object.ts';
import { groupOf, type MadeVolume, type VolumeJob } from './volume-tools.ts';
import { writePayload } from './write-payload.ts';

interface FileVolume {
  readonly kind: Kind;
  /** Secrets must not reach the disk. */
  readonly medium: '' | 'Memory';
  readonly payload: Payload;
}

const fileMode = 0o644;

/** Names of the kinds of volumes whose files the agent writes, below the product's domain, by their fields. */
const kinds = {
  configMap: 'configmap',
  secret: 'secret',
  downwardAPI: 'downward-api',
  projected: 'projected',
} as const;

/** Of a volume whose files the agent writes. */
export type Kind = (typeof kinds)[keyof typeof kinds];

/** The kind of a volume whose files the agent writes; undefined for all others. */
export function fileVolumeKind({ configMap, secret, downwardAPI, projected }: Volume): Kind | undefined {
  if (configMap) return kinds.configMap;
  if (secret) return kinds.secret;
  if (downwardAPI) return kinds.downwardAPI;
  return projected ? kinds.projected : undefined;
}

/** What keeps the files of a kind of volume: only config maps may reach the disk. */
export const fileVolumeMedium = (kind: Kind): '' | 'Memory' => (kind === kinds.configMap ? '' : 'Memory');

/** Makes a volume whose files the agent writes: a configMap, secret, downwardAPI or projected one. @throws Error */
export async function makeFileVolume(job: VolumeJob): Promise<MadeVolume> {
  return fillVolume(job, await readFileVolume(job));
}

async function readFileVolume({ pod, volume, context, tools }: VolumeJob): Promise<FileVolume> {
  const { objects } = tools;
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap) {
    const { name = '', items, defaultMode = fileMode, optional } = configMap;
    const isOptional = optional === true;
    const object = await readConfigMap(pod, { name, isOptional }, objects);
    const payload = configMapPayload(object, { items, defaultMode, isOptional });
    return { kind: kinds.configMap, medium: '', payload };
  }
  if (secret) {
    const { secretName: name = '', items, defaultMode = fileMode, optional } = secret;
    const isOptional = optional === true;
    const object = await readSecret(pod, { name, isOptional }, objects);
    return {
      kind: kinds.secret,
      medium: 'Memory',
      payload: secretPayload(object, { items, defaultMode, isOptional }),
    };
  }
  if (downwardAPI) {
    const { items, defaultMode = fileMode } = downwardAPI;
    const payload = downwardPayload(items ?? [], { pod, context, defaultMode });
    return { kind: kinds.downwardAPI, medium: 'Memory', payload };
  }
  const { defaultMode = fileMode } = projected ?? {};
  const { dialect } = tools;
  const options = { pod, context, objects, dialect, defaultMode };
  const payload = await projectedPayload(projected?.sources ?? [], options);
  return { kind: kinds.projected, medium: 'Memory', payload };
}

async function fillVolume(job: VolumeJob, { kind, medium, payload }: FileVolume): Promise<MadeVolume> {
  const { pod, podDir, volume, tools } = job;
  const { dialect, mount, clock } = tools;
  const folder = volumeDirectory(podDir, dialect.label(kind), volume.name);
  const groupId = groupOf(pod);
  const marks = podPluginDirectory(podDir, dialect.label('empty-dir'));
  const markFolder = posix.join(marks, `wrapped_${volume.name}`);
  await makeEmptyDir({ folder, markFolder, medium, pod, groupId, mount });
  for (const path of nestedMountPoints(pod, volume.name)) {
    await mkdir(posix.join(folder, path), { recursive: true, mode: 0o755 });
  }
  const own =
    groupId === undefined ? undefined : (path: string) => setOwnership(path, { groupId, isReadOnly: true });
  const hasChanged = await writePayload(folder, payload, { nowMs: clock.nowMs(), prepare: own });
  if (hasChanged) await own?.(folder);
  return { path: folder, isReadOnly: true, needsSelinuxLabel: true, measuredBy: 'files' };
}
