import { createPodCgroups, type PodCgroups } from '../../nodeagent/cgroups/index.ts';
import { runtimeLabelNames } from '../../nodeagent/container-config/index.ts';
import type { CpuManager, OtherHints, RunningContainer } from '../../nodeagent/cpu-manager/index.ts';
import { CpuManagerError, CpuStateFile } from '../../nodeagent/cpu-manager/state/index.ts';
import type { PodTable, RuntimeRelist } from '../../nodeagent/lifecycle/index.ts';
import type { RuntimeService } from '../../nodeagent/runtime/index.ts';
import type { AgentBase } from './agent-base.ts';
import { MachineError } from './prepare-process.ts';

type CpuManagerBase = Pick<AgentBase, 'config' | 'dialect' | 'clock' | 'logger'> & {
  readonly runtime: Pick<RuntimeService, 'updateContainerResources'>;
  readonly machine: Pick<AgentBase['machine'], 'cpuCount'>;
};

/** What the CPU manager is told of pods. */
export interface CpuManagerInputs {
  readonly table: Pick<PodTable, 'standingOf'>;
  readonly relist: Pick<RuntimeRelist, 'listing'>;
  /** Of resources that shall lie near to CPUs. */
  readonly otherHints?: OtherHints | undefined;
}

/**
 * Who has which CPUs; undefined when containers share all of them. That too is kept on disk: an operator must decide what
 * becomes of running pods when the policy changes. It moves no container before it is run.
 *
 * @throws MachineError for a reservation that the machine does not have, and a state that the agent cannot go on with
 */
export async function makeCpuManager(
  base: CpuManagerBase,
  inputs: CpuManagerInputs,
): Promise<CpuManager | undefined> {
  const { config, dialect, machine } = base;
  if (config.reservedCpuIds.some((id) => id >= machine.cpuCount)) {
    const problem = `Invalid cpuset "${config.reservedCpus}" specified by --reserved-cpus`;
    throw new MachineError(dialect.spell(`failed to run NodeAgent: ${problem}`));
  }
  if (!config.features.CPUManager) return undefined;
  const file = new CpuStateFile(config.rootDir, dialect.spell('NodeAgent'));
  try {
    return config.cpuManagerPolicy === 'static'
      ? await openStatic(base, inputs, file)
      : await claimForNone(file);
  } catch (error) {
    if (!(error instanceof CpuManagerError)) throw error;
    throw new MachineError(`Failed to start ContainerManager start cpu manager error: ${error.message}`);
  }
}

async function claimForNone(file: CpuStateFile): Promise<undefined> {
  const policyName = 'none';
  if ((await file.read(policyName)) !== undefined) return;
  await file.write({ policyName, defaultCpuSet: '', entries: new Map() });
}

async function openStatic(
  { config, dialect, clock, logger, runtime }: CpuManagerBase,
  { table, relist, otherHints }: CpuManagerInputs,
  file: CpuStateFile,
): Promise<CpuManager> {
  const { podUid } = runtimeLabelNames(dialect);
  const { openCpuManager } = await import('../../nodeagent/cpu-manager/index.ts');
  return openCpuManager({
    config,
    file,
    runtime,
    holdOf: (uid, name) => table.standingOf(uid, name),
    otherHints,
    running: () =>
      relist.listing.containers.flatMap(({ id, state, metadata, labels }): RunningContainer[] =>
        state === 'running' ? [{ id, podUid: labels[podUid] ?? '', name: metadata.name }] : [],
      ),
    clock,
    logger,
  });
}

const root = '/sys/fs/cgroup';

/** Control groups of the pods, timed in the agent's metrics; undefined when pods get none of their own. */
export function makeCgroups(base: AgentBase): PodCgroups | undefined {
  const { config, events, dialect, clock, logger, metrics } = base;
  if (!config.cgroupsPerQos) return undefined;
  const cgroups = createPodCgroups({ root, config, events, dialect, clock, logger });
  const timed = async <T>(operation: 'create' | 'update' | 'destroy', act: () => Promise<T>): Promise<T> => {
    const startMs = clock.nowMs();
    try {
      return await act();
    } finally {
      const seconds = (clock.nowMs() - startMs) / 1000;
      metrics.observe('nodeagent_cgroup_manager_duration_seconds', seconds, [operation]);
    }
  };
  return {
    prepareNode: (capacity) => timed('create', () => cgroups.prepareNode(capacity)),
    ensurePod: (pod) => timed('create', () => cgroups.ensurePod(pod)),
    updateQos: (pods) => timed('update', () => cgroups.updateQos(pods)),
    removePod: (podUid) => timed('destroy', () => cgroups.removePod(podUid)),
    podsPresent: () => cgroups.podsPresent(),
  };
}
