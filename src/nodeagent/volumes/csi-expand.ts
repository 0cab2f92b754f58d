import type { CsiDriver } from '../csi/index.ts';
import { capabilityOf } from './csi-requests.ts';
import type { CsiJob, CsiState } from './csi-state.ts';
import { describeError } from './describe-error.ts';
import { desiredBytes, markExpanded } from './expand-claim.ts';
import { MountStepError } from './mount-step-error.ts';

/** Where a volume is that may have to grow. */
export interface CsiExpansion {
  readonly driver: CsiDriver;
  readonly path: string;
  /** Empty: the driver stages nothing, or the path is a pod's. */
  readonly staging: string;
  /** Containers may use it already. */
  readonly isInUse?: boolean;
}

/**
 * Has the driver grow a volume on the node that is larger than its claim says, and says so in the claim.
 *
 * @throws MountStepError with release 1.20's message; for a volume in use nothing but an event tells of that
 */
export async function expandCsiVolume(
  { features, objects, paths, expanded }: CsiState,
  { job: { pod, tools }, source }: CsiJob,
  { driver, path, staging, isInUse = false }: CsiExpansion,
): Promise<void> {
  const { claimed } = source;
  const gates = features.ExpandCSIVolumes && features.ExpandPersistentVolumes;
  if (claimed === undefined || !gates || (isInUse && !features.ExpandInUsePersistentVolumes)) return;
  // Staged volumes have grown before they are published: the claim that was read knows nothing of that yet.
  const required = desiredBytes(claimed);
  if (required === undefined || expanded.get(source.name) === required) return;
  const what = (text: string): string => `${text} for volume "${source.name}" `;
  if (source.isReadOnly) {
    const message = `${what('MountVolume.NodeExpandVolume failed')}: requested read-only file system`;
    tools.onEvent(pod, { type: 'Warning', reason: 'FileSystemResizeFailed', message });
    return;
  }
  try {
    if (!(await driver.can('EXPAND_VOLUME'))) {
      const name = `${tools.dialect.label('csi')}/${driver.name}`;
      throw new Error(`Expander.NodeExpand found CSI plugin ${name} to not support node expansion`);
    }
    await driver.call('NodeExpandVolume', {
      volume_id: source.handle,
      volume_path: path,
      capacity_range: { required_bytes: required },
      staging_target_path: staging || (await stagingOf(driver, paths.staging(source.name, source))),
      volume_capability: capabilityOf(source),
    });
    await markExpanded(claimed, objects);
  } catch (cause) {
    const text = describeError(cause);
    const step = isInUse ? 'NodeExpandVolume.NodeExpandVolume failed' : 'MountVolume.NodeExpandVolume failed';
    tools.onEvent(pod, { type: 'Warning', reason: 'VolumeResizeFailed', message: `${what(step)}: ${text}` });
    if (isInUse) return;
    const at = staging === '' ? 'Setup' : 'MountDevice';
    throw new MountStepError(`MountVolume.${at} failed while expanding volume`, text, { cause });
  }
  expanded.set(source.name, required);
  const message = what('MountVolume.NodeExpandVolume succeeded');
  tools.onEvent(pod, { type: 'Normal', reason: 'FileSystemResizeSuccessful', message });
}

const stagingOf = async (driver: CsiDriver, path: string): Promise<string> =>
  (await driver.can('STAGE_UNSTAGE_VOLUME')) ? path : '';
