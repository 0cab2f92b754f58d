import { type Clock, type Logger, pause, silentLogger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { createProcessGroups, type ProcessGroups } from '../../nodeagent/cgroups/index.ts';
import {
  acquireLockFile,
  applyKernelSettings,
  ensureNetworkChains,
  hasNetworkChains,
  limitOpenFiles,
  type NetworkChainsOptions,
  type RunProgram,
  runProgram,
  untilContended,
} from '../../nodeagent/host/index.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';
import { MachineError } from './prepare-process.ts';

export interface PrepareMachineOptions {
  readonly config: AgentConfig;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends what goes on beside the agent. */
  readonly signal: AbortSignal;
  /** Where the kernel's settings and control groups are; those of this machine when left out. */
  readonly roots?: { readonly settings: string; readonly cgroups: string };
  readonly run?: RunProgram;
}

const machineRoots = { settings: '/proc/sys', cgroups: '/sys/fs/cgroup' };
/** How often processes and rules of others are checked. */
const repeatMs = 60_000;
/** How often contention for the lock is checked. */
const contentionPeriodMs = 1000;

/**
 * Brings the machine and this process into the state that the options ask for, and keeps it there until `signal` aborts.
 *
 * @throws MachineError for settings of the kernel that must not be changed, CgroupError for a group that cannot be entered
 */
export async function prepareMachine(options: PrepareMachineOptions): Promise<void> {
  const { config, clock, logger, roots = machineRoots, run = runProgram } = options;
  const isProtected = config.protectKernelDefaults;
  const problems = await applyKernelSettings({ root: roots.settings, isProtected, logger });
  if (problems.length > 0)
    throw new MachineError(`Failed to start ContainerManager [${problems.join(', ')}]`);
  if (config.maxOpenFiles > 0) {
    await limitOpenFiles({ limit: config.maxOpenFiles, pid: process.pid, run, logger });
  }
  const groups = createProcessGroups({ root: roots.cgroups, clock });
  if (config.nodeagentCgroups !== '') await groups.enter(config.nodeagentCgroups, process.pid);
  if (config.systemCgroups !== '') void gatherProcesses(groups, options);
  if (config.makeIptablesUtilChains) void keepChains(run, options);
}

/** Processes that are in no group come up all the time. Never rejects. */
async function gatherProcesses(
  groups: ProcessGroups,
  { config, clock, logger, signal }: PrepareMachineOptions,
): Promise<void> {
  const group = config.systemCgroups;
  do {
    await groups.gatherUngrouped(group).then(
      (count) => count > 0 && logger.info('system processes moved to system cgroup', { group, count }),
      (error: unknown) => logger.error('system cgroup update failed', { group, error }),
    );
  } while (await pause(clock, repeatMs, signal));
}

/** Others flush tables; the chains come back then. Never rejects. */
async function keepChains(
  run: RunProgram,
  { config, dialect, clock, logger, signal }: PrepareMachineOptions,
): Promise<void> {
  const family = config.nodeIps[0]?.includes(':') === true ? 6 : 4;
  const { iptablesDropBit: dropBit, iptablesMasqueradeBit: masqueradeBit } = config;
  const base = { dialect, dropBit, masqueradeBit, family, run } as const;
  let isTold = false;
  do {
    const chains: NetworkChainsOptions = { ...base, logger: isTold ? silentLogger : logger };
    isTold = !((await hasNetworkChains(chains)) || (await ensureNetworkChains(chains)));
  } while (await pause(clock, repeatMs, signal));
}

/**
 * Waits for the lock file of the options and holds it; with `--exit-on-lock-contention`, `onContention` is called when
 * somebody else wants it.
 *
 * @throws Error when the lock cannot be had
 */
export async function holdLockFile(
  { config, clock, logger, signal }: Pick<PrepareMachineOptions, 'config' | 'clock' | 'logger' | 'signal'>,
  onContention: () => void,
): Promise<AsyncDisposable | undefined> {
  const path = config.lockFile;
  if (path === '') return undefined;
  logger.info('waiting for lock file', { path });
  const lock = await acquireLockFile({ path, signal });
  if (config.exitOnLockContention) {
    const periodMs = contentionPeriodMs;
    void untilContended(lock, { clock, periodMs, signal }).then((isContended) => {
      if (isContended) onContention();
    });
  }
  return lock;
}
