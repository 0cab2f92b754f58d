import { mkdir } from 'node:fs/promises';
import type { CsiDriver, TextMap } from '../csi/index.ts';
import { GrpcError } from '../grpc/grpc-error.ts';
import { ensureAttached } from './csi-attachment.ts';
import { removeMountFolder, writeVolumeData } from './csi-files.ts';
import { capabilityOf, podInfo, readSecretTexts, tokenAttribute } from './csi-requests.ts';
import type { CsiJob, CsiState } from './csi-state.ts';
import { describeError } from './describe-error.ts';

/** What the driver is told of the attachment; nothing for volumes that are not attached. @throws MountStepError */
export async function attach(state: CsiState, { source, spec }: CsiJob): Promise<TextMap> {
  if (source.lifecycle === 'Ephemeral' || spec?.attachRequired === false) return {};
  return ensureAttached(source, state);
}

/** Stages a volume once for the node, where its driver does that; gives the path, or none. @throws Error */
export async function stage(
  state: CsiState,
  { source }: CsiJob,
  { driver, publishContext }: { readonly driver: CsiDriver; readonly publishContext: TextMap },
): Promise<string> {
  if (source.lifecycle === 'Ephemeral') return '';
  const { paths, staged, objects, dialect, mount } = state;
  const isStaging = await driver.can('STAGE_UNSTAGE_VOLUME');
  const path = paths.staging(source.name, source);
  if (staged.has(path)) return isStaging ? path : '';
  await mkdir(path, { recursive: true, mode: 0o750 });
  const kept = { driverName: source.driver, volumeHandle: source.handle };
  const data = paths.dataOf(source.name, source);
  await writeVolumeData(data, kept);
  if (isStaging) {
    const field = 'NodeStageSecretRef';
    const secrets = await readSecretTexts(source.stageSecret, { field, objects, dialect });
    try {
      await driver.call('NodeStageVolume', {
        volume_id: source.handle,
        publish_context: publishContext,
        staging_target_path: path,
        volume_capability: capabilityOf(source),
        secrets,
        volume_context: source.attributes,
      });
    } catch (error) {
      // Refused and over: nothing is left to undo.
      if (error instanceof GrpcError && error.isFinal) await removeMountFolder(path, data, mount);
      throw error;
    }
  }
  staged.add(path);
  return isStaging ? path : '';
}

/** What a volume is published with. */
export interface PublishInputs {
  readonly driver: CsiDriver;
  readonly publishContext: TextMap;
  /** Empty: the driver stages nothing. */
  readonly staging: string;
  readonly target: string;
}

/** Has the driver publish a volume to a pod. @throws Error */
export async function publish(
  { objects, dialect, features, plugin, refused }: CsiState,
  { job: { pod }, source, spec = {} }: CsiJob,
  { driver, publishContext, staging, target }: PublishInputs,
): Promise<void> {
  const secrets = await readSecretTexts(source.publishSecret, {
    field: 'NodePublishSecretRef',
    objects,
    dialect,
  });
  const info = spec.podInfoOnMount === true ? podInfo(pod, source, dialect) : {};
  const tokens = features.CSIServiceAccountToken
    ? await tokenAttribute(pod, spec, { objects, dialect }).catch((cause) => {
        const what = 'mounter.SetUpAt failed to get service account token attributes';
        throw new Error(`${plugin}: ${what}: ${describeError(cause)}`, { cause });
      })
    : {};
  refused.delete(target);
  try {
    await driver.call('NodePublishVolume', {
      volume_id: source.handle,
      publish_context: publishContext,
      staging_target_path: staging,
      target_path: target,
      volume_capability: capabilityOf(source),
      readonly: source.isReadOnly,
      secrets,
      volume_context: { ...source.attributes, ...info, ...tokens },
    });
  } catch (error) {
    if (error instanceof GrpcError && error.isFinal) refused.add(target);
    throw error;
  }
}
