import type { Dialect } from '../../machinery/dialect.ts';
import { type CgroupSettings, formatCgroupName, qosCgroupName } from '../container-config/index.ts';

/** QoS classes; the groups of the others are inside that of the first one. */
export const qosClasses = ['Guaranteed', 'Burstable', 'BestEffort'] as const;

const maxUidLength = 253;
const slice = '.slice';

/** Group of a pod in each class, as paths; undefined for a uid that cannot be a part of one. */
export function podGroups(
  podUid: string,
  settings: CgroupSettings,
  dialect: Dialect,
): readonly string[] | undefined {
  if (!isPart(podUid)) return undefined;
  return qosClasses.map((qosClass) => {
    const parts = [...qosCgroupName(qosClass, settings, dialect), `pod${podUid}`];
    return formatCgroupName(parts, settings.driver);
  });
}

/** Whether a uid can be a part of a path. */
export function isPart(podUid: string): boolean {
  return podUid !== '' && podUid.length <= maxUidLength && !/[/\0\s]/.test(podUid);
}

/** The pod whose group a folder of the group of a class is; undefined for other folders. */
export function podUidOf(
  folder: string,
  classParts: readonly string[],
  { driver }: CgroupSettings,
): string | undefined {
  if (driver === 'cgroupfs')
    return folder.startsWith('pod') && folder.length > 3 ? folder.slice(3) : undefined;
  const prefix = `${classParts.map((part) => part.replaceAll('-', '_')).join('-')}-pod`;
  if (!folder.startsWith(prefix) || !folder.endsWith(slice)) return undefined;
  const uid = folder.slice(prefix.length, -slice.length).replaceAll('_', '-');
  return uid === '' ? undefined : uid;
}
