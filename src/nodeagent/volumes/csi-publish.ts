import { mkdir } from 'node:fs/promises';
import type { CsiDriver, TextMap } from '../csi/index.ts';
import { GrpcError } from '../grpc/grpc-error.ts';
import type { AgentObjects } from '../objects/index.ts';
import { removeMountFolder, writeVolumeData } from './csi-files.ts';
import { capabilityOf, podInfo, readSecretTexts, tokenAttribute } from './csi-requests.ts';
import { attachmentName, type CsiSource, csiVolumeKey } from './csi-source.ts';
import type { CsiJob, CsiState } from './csi-state.ts';
import { describeError } from './describe-error.ts';
import type { Attacher } from './flex-devices.ts';
import { MountStepError } from './mount-step-error.ts';

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

/** Who attaches, and where it is seen. */
interface CsiAttachmentOptions {
  readonly attacher: Attacher;
  readonly nodeName: string;
  /** Name of the plugin, such as `orch.io/csi`. */
  readonly plugin: string;
  readonly objects: AgentObjects;
  /** Names of the volumes that the node's status shows as in use; kept up to date. */
  readonly used: Set<string>;
}

/** Waits, attempt by attempt, until a volume is attached to this node, and gives what its driver wants to be told of that. */
async function ensureAttached(source: CsiSource, options: CsiAttachmentOptions): Promise<TextMap> {
  const { attacher, plugin, used } = options;
  const key = csiVolumeKey(plugin, source.driver, source.handle);
  used.add(key);
  if (attacher.kind === 'controller') {
    const node = attacher.node();
    const wait = (message: string): Error =>
      new MountStepError('VerifyControllerAttachedVolume', message, { isQuiet: true });
    if (!node?.volumesInUse?.includes(key)) {
      throw wait("Volume has not been added to the list of VolumesInUse in the node's volume status");
    }
    if (!node.volumesAttached?.some(({ name }) => name === key)) {
      throw wait(`Volume not attached according to node status: ${source.name}`);
    }
  }
  return readAttachment(source, options);
}

/** @throws MountStepError: quiet while nothing is wrong but the wait */
async function readAttachment(
  source: CsiSource,
  { objects, nodeName, attacher }: CsiAttachmentOptions,
): Promise<TextMap> {
  const id = attachmentName(source, nodeName);
  const refuse = (message: string, more: { isQuiet?: boolean; cause?: unknown } = {}): Error =>
    new MountStepError('MountVolume.WaitForAttach', message, more);
  const found = await objects.volumeAttachment(id).catch((cause: unknown) => {
    const what = `volume ${source.handle} has GET error for volume attachment ${id}: ${describeError(cause)}`;
    throw refuse(what, { cause });
  });
  if (found === undefined && attacher.kind === 'agent') {
    // Nobody else does either: an event tells of that at once.
    const what = `volume ${source.handle} has no volume attachment ${id}, and the agent makes none for CSI drivers`;
    throw new MountStepError('AttachVolume.Attach', what, { reason: 'FailedAttachVolume' });
  }
  if (found === undefined) {
    throw refuse(`volume ${source.handle} has no volume attachment ${id}`, { isQuiet: true });
  }
  if (found.metadata.deletionTimestamp) {
    throw refuse(`volume attachment ${id} is being deleted`, { isQuiet: true });
  }
  const { attached, attachError, attachmentMetadata } = found.status;
  if (attached) return attachmentMetadata ?? {};
  if (attachError?.message) throw refuse(attachError.message);
  throw refuse(`volume ${source.handle} is not attached yet`, { isQuiet: true });
}
