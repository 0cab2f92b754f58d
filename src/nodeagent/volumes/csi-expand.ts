import type { CsiDriver } from '../csi/index.ts';
import { capabilityOf } from './csi-requests.ts';
import type { CsiJob, CsiState } from './csi-state.ts';
import { expandClaimed } from './expand-claim.ts';

/** Where a volume is that may have to grow. */
export interface CsiExpansion {
  readonly driver: CsiDriver;
  readonly path: string;
  /** Empty: the driver stages nothing, or the path is a pod's. */
  readonly staging: string;
  /** Containers may use it already. */
  readonly isInUse?: boolean;
}

/** Has the driver grow a volume on the node that is larger than its claim says. @throws MountStepError as `expandClaimed` */
export async function expandCsiVolume(
  { features, objects, paths, expanded }: CsiState,
  { job: { pod, tools }, source }: CsiJob,
  { driver, path, staging, isInUse = false }: CsiExpansion,
): Promise<void> {
  const { claimed, isReadOnly } = source;
  const gates = features.ExpandCSIVolumes && features.ExpandPersistentVolumes;
  if (claimed === undefined || !gates || (isInUse && !features.ExpandInUsePersistentVolumes)) return;
  const grow = async (requiredBytes: number): Promise<void> => {
    if (!(await driver.can('EXPAND_VOLUME'))) {
      const name = `${tools.dialect.label('csi')}/${driver.name}`;
      throw new Error(`Expander.NodeExpand found CSI plugin ${name} to not support node expansion`);
    }
    await driver.call('NodeExpandVolume', {
      volume_id: source.handle,
      volume_path: path,
      capacity_range: { required_bytes: requiredBytes },
      staging_target_path: staging || (await stagingOf(driver, paths.staging(source.name, source))),
      volume_capability: capabilityOf(source),
    });
  };
  // Staged volumes have grown before they are published: the claim that was read knows nothing of that yet.
  const step = staging === '' ? 'Setup' : 'MountDevice';
  await expandClaimed({ pod, claimed, isReadOnly, isInUse, step, expanded, grow }, objects, tools);
}

const stagingOf = async (driver: CsiDriver, path: string): Promise<string> =>
  (await driver.can('STAGE_UNSTAGE_VOLUME')) ? path : '';
