import type { Pod, Volume } from '../../apis/types/core-v1.ts';

/** Names of the volumes that lie on the node's own disk and are removed with the pod: its local ephemeral storage. */
export const localVolumes = ({ spec }: Pod): ReadonlySet<string> =>
  new Set((spec.volumes ?? []).filter(isLocal).map(({ name }) => name));

const isLocal = ({ emptyDir, configMap, downwardAPI, gitRepo }: Volume): boolean =>
  (emptyDir !== undefined && emptyDir.medium !== 'Memory') ||
  configMap !== undefined ||
  downwardAPI !== undefined ||
  gitRepo !== undefined;
