import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorText } from '../../base/index.ts';
import type { GroupBounds } from './bound-files.ts';
import { cpuWeightOf } from './bound-files.ts';
import { CgroupError } from './cgroup-error.ts';

/** Slices of systemd. It would treat groups that it does not know as its own, and change or remove them. */
export interface SliceUnits {
  /** Starts the slice with its bounds, and its parent slices. @throws CgroupError */
  start(unit: string, bounds: GroupBounds, version: 1 | 2): Promise<void>;
  /** Ends the slice. @throws CgroupError */
  stop(unit: string): Promise<void>;
}

/** Runs a program to its end. */
export type RunProgram = (program: string, parameters: readonly string[]) => Promise<unknown>;

const timeoutMs = 10_000;

const runProgram: RunProgram = (program, parameters) =>
  promisify(execFile)(program, parameters, { timeout: timeoutMs });

/** Slices by way of `systemctl`; undefined where systemd does not run. */
export async function findSliceUnits(): Promise<SliceUnits | undefined> {
  const isThere = await access('/run/systemd/system').then(
    () => true,
    () => false,
  );
  return isThere ? createSliceUnits(runProgram) : undefined;
}

/** Slices by way of `systemctl`, run by `run`. */
export function createSliceUnits(run: RunProgram): SliceUnits {
  const control = async (...parameters: readonly string[]): Promise<void> => {
    try {
      await run('systemctl', parameters);
    } catch (cause) {
      const detail = errorText(cause);
      throw new CgroupError(`control groups: systemctl ${parameters.join(' ')}: ${detail}`, { cause });
    }
  };
  return {
    async start(unit, bounds, version) {
      await control('start', unit);
      const properties = sliceProperties(bounds, version);
      if (properties.length > 0) await control('set-property', '--runtime', unit, ...properties);
    },
    stop: (unit) => control('stop', unit),
  };
}

/** Bounds as properties of a unit. */
export function sliceProperties(
  { cpuShares, cpuQuotaUs, cpuPeriodUs = 100_000, memoryLimitBytes, pidsLimit }: GroupBounds,
  version: 1 | 2,
): string[] {
  const isFirst = version === 1;
  const hasQuota = cpuQuotaUs !== undefined && cpuQuotaUs > 0;
  // Systemd rounds a share to hundredths of a percent; the exact quota is written to the group afterwards.
  const percent = hasQuota ? Math.ceil((cpuQuotaUs * 100) / cpuPeriodUs) : 0;
  return [
    'CPUAccounting=yes',
    'MemoryAccounting=yes',
    'TasksAccounting=yes',
    ...(cpuShares === undefined
      ? []
      : [isFirst ? `CPUShares=${cpuShares}` : `CPUWeight=${cpuWeightOf(cpuShares)}`]),
    ...(hasQuota ? [`CPUQuota=${percent}%`] : []),
    ...(memoryLimitBytes ? [`${isFirst ? 'MemoryLimit' : 'MemoryMax'}=${memoryLimitBytes}`] : []),
    ...(pidsLimit !== undefined && pidsLimit > 0 ? [`TasksMax=${pidsLimit}`] : []),
  ];
}
