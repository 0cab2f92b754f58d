import { asJsonObject } from '../../base/index.ts';
import { toCellText } from '../printers/text-table.ts';
import { asRecords, type Report } from './report.ts';

/** Types of volume with the sentence that release 1.20 says about them. */
const sentences: Readonly<Record<string, readonly [type: string, about: string]>> = {
  hostPath: ['HostPath', 'bare host directory volume'],
  emptyDir: ['EmptyDir', "a temporary directory that shares a pod's lifetime"],
  secret: ['Secret', 'a volume populated by a Secret'],
  configMap: ['ConfigMap', 'a volume populated by a ConfigMap'],
  persistentVolumeClaim: [
    'PersistentVolumeClaim',
    'a reference to a PersistentVolumeClaim in the same namespace',
  ],
  projected: ['Projected', 'a volume that contains injected data from multiple sources'],
  downwardAPI: ['DownwardAPI', 'a volume populated by information about the pod'],
  nfs: ['NFS', 'an NFS mount that lasts the lifetime of a pod'],
  csi: ['CSI', 'a Container Storage Interface (CSI) volume source'],
  ephemeral: [
    'EphemeralVolume',
    'an inline specification for a volume that gets created and deleted with the pod',
  ],
};

/** Fields worth showing by type of volume, with their labels. */
const details: Readonly<
  Record<string, readonly (readonly [field: string, label: string, absent: string])[]>
> = {
  hostPath: [
    ['path', 'Path', ''],
    ['type', 'HostPathType', ''],
  ],
  emptyDir: [
    ['medium', 'Medium', ''],
    ['sizeLimit', 'SizeLimit', '<unset>'],
  ],
  secret: [
    ['secretName', 'SecretName', ''],
    ['optional', 'Optional', 'false'],
  ],
  configMap: [
    ['name', 'Name', ''],
    ['optional', 'Optional', 'false'],
  ],
  persistentVolumeClaim: [
    ['claimName', 'ClaimName', ''],
    ['readOnly', 'ReadOnly', 'false'],
  ],
  nfs: [
    ['server', 'Server', ''],
    ['path', 'Path', ''],
    ['readOnly', 'ReadOnly', 'false'],
  ],
  csi: [
    ['driver', 'Driver', ''],
    ['fsType', 'FSType', ''],
    ['readOnly', 'ReadOnly', 'false'],
  ],
};

/** Writes a pod's volumes. */
export function describeVolumes(report: Report, volumes: unknown, level = 0): void {
  const list = asRecords(volumes);
  report.line(level, list.length === 0 ? 'Volumes:\t<none>' : 'Volumes:');
  for (const volume of list) {
    // In a template only the names are further in, by one blank.
    report.line(1, `${' '.repeat(level)}${toCellText(volume.name)}:`);
    const kind = Object.keys(volume).find((key) => key !== 'name') ?? '';
    const source = asJsonObject(volume[kind]);
    const [type, about] = sentences[kind] ?? [kind, ''];
    report.line(2, `Type:\t${toCellText(type)}${about === '' ? '' : ` (${about})`}`);
    for (const [field, label, absent] of details[kind] ?? []) report.field(2, label, source[field] ?? absent);
    if (kind === 'projected') describeSources(report, 2, asRecords(source.sources));
  }
}

function describeSources(
  report: Report,
  level: number,
  sources: readonly Readonly<Record<string, unknown>>[],
): void {
  for (const source of sources) {
    const { secret, configMap, downwardAPI, serviceAccountToken } = source;
    if (secret !== undefined) report.field(level, 'SecretName', asJsonObject(secret).name);
    else if (configMap !== undefined) report.field(level, 'ConfigMapName', asJsonObject(configMap).name);
    else if (downwardAPI !== undefined) report.field(level, 'DownwardAPI', 'true');
    else if (serviceAccountToken !== undefined) {
      report.field(level, 'TokenExpirationSeconds', asJsonObject(serviceAccountToken).expirationSeconds);
    }
  }
}
