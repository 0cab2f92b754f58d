import type { TextMap } from '../csi/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import { attachmentName, type CsiSource, csiVolumeKey } from './csi-source.ts';
import { describeError } from './describe-error.ts';
import type { Attacher } from './flex-devices.ts';
import { MountStepError } from './mount-step-error.ts';

/** Who attaches, and where it is seen. */
export interface CsiAttachmentOptions {
  readonly attacher: Attacher;
  readonly nodeName: string;
  /** Name of the plugin, such as `orch.io/csi`. */
  readonly plugin: string;
  readonly objects: AgentObjects;
  /** Names of the volumes that the node's status shows as in use; kept up to date. */
  readonly used: Set<string>;
}

/** Waits, attempt by attempt, until a volume is attached to this node, and gives what its driver wants to be told of that. */
export async function ensureAttached(source: CsiSource, options: CsiAttachmentOptions): Promise<TextMap> {
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
