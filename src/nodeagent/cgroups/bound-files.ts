import type { CgroupBounds } from '../container-config/index.ts';

/** Bounds of any group; what is left out stays as it is. */
export type GroupBounds = Partial<CgroupBounds>;

/** A value to be written to a file of a group. */
export interface BoundFile {
  readonly controller: 'cpu' | 'memory' | 'pids' | 'hugetlb';
  readonly file: string;
  readonly value: string;
}

/** The files and values that bounds stand for, in the order in which the kernel takes them. */
export function boundFiles(bounds: GroupBounds, version: 1 | 2): BoundFile[] {
  const hugepages = [...(bounds.hugepageLimits ?? [])].map(([size, bytes]) =>
    hugepageFile(size, bytes, version),
  );
  return [
    ...(version === 1 ? firstVersion(bounds) : secondVersion(bounds)),
    ...pidsFile(bounds),
    ...hugepages,
  ];
}

/** The file and value that bound huge pages of one size; not bounded for infinity. */
export function hugepageFile(size: string, bytes: number, version: 1 | 2): BoundFile {
  const file = version === 1 ? `hugetlb.${size}.limit_in_bytes` : `hugetlb.${size}.max`;
  const none = version === 1 ? '-1' : 'max';
  return { controller: 'hugetlb', file, value: Number.isFinite(bytes) ? String(bytes) : none };
}

function firstVersion({ cpuShares, cpuPeriodUs, cpuQuotaUs, memoryLimitBytes }: GroupBounds): BoundFile[] {
  const cpu = (file: string, value: number | undefined): BoundFile[] =>
    value === undefined ? [] : [{ controller: 'cpu', file: `cpu.${file}`, value: String(value) }];
  return [
    ...cpu('shares', cpuShares),
    ...cpu('cfs_period_us', cpuPeriodUs || undefined),
    ...cpu('cfs_quota_us', cpuQuotaUs || undefined),
    ...(memoryLimitBytes ? [memoryFile('memory.limit_in_bytes', memoryLimitBytes)] : []),
  ];
}

function secondVersion({ cpuShares, cpuPeriodUs, cpuQuotaUs, memoryLimitBytes }: GroupBounds): BoundFile[] {
  const files: BoundFile[] = [];
  if (cpuShares !== undefined) {
    files.push({ controller: 'cpu', file: 'cpu.weight', value: String(cpuWeightOf(cpuShares)) });
  }
  if (cpuQuotaUs) {
    const quota = cpuQuotaUs > 0 ? String(cpuQuotaUs) : 'max';
    files.push({ controller: 'cpu', file: 'cpu.max', value: `${quota} ${cpuPeriodUs || 100_000}` });
  }
  if (memoryLimitBytes) files.push(memoryFile('memory.max', memoryLimitBytes));
  return files;
}

function pidsFile({ pidsLimit }: GroupBounds): BoundFile[] {
  return pidsLimit === undefined || pidsLimit <= 0
    ? []
    : [{ controller: 'pids', file: 'pids.max', value: String(pidsLimit) }];
}

function memoryFile(file: string, bytes: number): BoundFile {
  const isBounded = Number.isSafeInteger(bytes) && bytes < Number.MAX_SAFE_INTEGER;
  const none = file === 'memory.max' ? 'max' : '-1';
  return { controller: 'memory', file, value: isBounded ? String(bytes) : none };
}

/** The weight of version 2 (1 to 10000) that shares of version 1 (2 to 262144) stand for. */
export function cpuWeightOf(cpuShares: number): number {
  return 1 + Math.floor(((Math.min(262_144, Math.max(2, cpuShares)) - 2) * 9999) / 262_142);
}
