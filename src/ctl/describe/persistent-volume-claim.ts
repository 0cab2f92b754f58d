import { asJsonObject, asText, ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { formatHumanDuration } from '../printers/human-duration.ts';
import { describeConditions } from './conditions.ts';
import type { DescribeContext } from './describer.ts';
import { asRecords, type Fields, goList, type Report } from './report.ts';

/** A claim with the volume that it has and the pods that use it. */
export async function describeClaim(context: DescribeContext): Promise<void> {
  const { ctl, object, report, nowMs } = context;
  const { metadata } = object;
  const { dialect } = ctl;
  const users = await listUsers(context);
  report.field(0, 'Name', metadata.name);
  report.field(0, 'Namespace', metadata.namespace);
  describeClaimBody(report, object, { dialect, nowMs });
  report.list(0, 'Used By', users);
  describeConditions(
    report,
    asJsonObject(object.status).conditions,
    ['LastProbeTime', 'LastTransitionTime', 'Reason', 'Message'],
    [0, 1, 2, 3, 4],
  );
}

/** Where a claim's fields are written: with the phase of a stored one. */
export interface ClaimPlace {
  readonly dialect: Dialect;
  readonly level?: number;
  /** Undefined for a template of claims, which has no phase. */
  readonly nowMs?: number;
}

/** Writes what a claim has in common with a template of claims. */
export function describeClaimBody(
  report: Report,
  claim: Fields,
  { dialect, level = 0, nowMs }: ClaimPlace,
): void {
  const metadata = asJsonObject(claim.metadata);
  const spec = asJsonObject(claim.spec);
  const status = asJsonObject(claim.status);
  const isBound = Boolean(spec.volumeName);
  report.field(level, 'StorageClass', claimClass(claim, dialect));
  if (nowMs !== undefined) report.field(level, 'Status', formatPhase(claim, nowMs));
  report.field(level, 'Volume', spec.volumeName);
  report.map('Labels', metadata.labels, { level, restLevel: level });
  report.annotations(metadata.annotations, { level });
  if (nowMs !== undefined) report.field(level, 'Finalizers', goList(metadata.finalizers));
  report.field(level, 'Capacity', isBound ? (asJsonObject(status.capacity).storage ?? '0') : '');
  report.field(level, 'Access Modes', isBound ? formatAccessModes(status.accessModes) : '');
  if (spec.volumeMode !== undefined) report.field(level, 'VolumeMode', spec.volumeMode);
  if (spec.dataSource === undefined) return;
  const source = asJsonObject(spec.dataSource);
  report.line(level, 'DataSource:');
  if (typeof source.apiGroup === 'string') report.field(level + 1, 'APIGroup', source.apiGroup);
  report.field(level + 1, 'Kind', source.kind);
  report.field(level + 1, 'Name', source.name);
}

/** The phase of a volume or claim, or how long ago it was deleted. */
export function formatPhase(object: Fields, nowMs: number): string {
  const { deletionTimestamp } = asJsonObject(object.metadata);
  if (!deletionTimestamp) return asText(asJsonObject(object.status).phase);
  return `Terminating (lasts ${formatHumanDuration(nowMs - Date.parse(String(deletionTimestamp)))})`;
}

/** The storage class that a volume or claim names, the older way first. */
export function claimClass(claim: Fields, dialect: Dialect): string {
  const annotations = asJsonObject(asJsonObject(claim.metadata).annotations);
  const older = ownValue(annotations, dialect.domain('volume.beta', 'storage-class'));
  return asText(older ?? asJsonObject(claim.spec).storageClassName);
}

const modes = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
] as const;

/** `RWO,ROX`: ways of access in a fixed order. */
export function formatAccessModes(value: unknown): string {
  const listed = Array.isArray(value) ? value : [];
  return modes.flatMap(([mode, short]) => (listed.includes(mode) ? [short] : [])).join(',');
}

/** Names of the pods with a volume from this claim. */
async function listUsers({ ctl, object }: DescribeContext): Promise<readonly unknown[]> {
  const { name, namespace = '' } = object.metadata;
  const client = await ctl.client();
  const list = await client.json<{ items?: unknown }>({
    method: 'GET',
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`,
    signal: ctl.io.signal,
  });
  const uses = (pod: Fields) =>
    asRecords(asJsonObject(pod.spec).volumes).some(
      (volume) => asJsonObject(volume.persistentVolumeClaim).claimName === name,
    );
  return asRecords(list.items)
    .filter(uses)
    .map((pod) => asJsonObject(pod.metadata).name);
}
