import type { AgentConfig } from '../options/index.ts';
import type { CpuPolicy } from './allocate-pod.ts';
import { chooseReserved } from './choose-reserved.ts';
import { CpuManager, type CpuManagerOptions } from './cpu-manager.ts';
import type { CpuTopology } from './cpu-topology.ts';
import { openCpuState } from './open-cpu-state.ts';
import { readTopology } from './read-topology.ts';
import { CpuManagerError, type CpuStateFile } from './state/index.ts';
import { maxNodes } from './topology-hints.ts';

/** Settings that choose the policies of the CPU manager and of the topology manager, and the state file. */
export interface OpenCpuManagerOptions
  extends Omit<CpuManagerOptions, 'policy' | 'state' | 'file' | 'periodMs'> {
  readonly config: Pick<
    AgentConfig,
    | 'cpuManagerReconcilePeriodMs'
    | 'orchReservedResources'
    | 'reservedCpuIds'
    | 'systemReservedResources'
    | 'topologyManagerPolicy'
    | 'topologyManagerScope'
    | 'features'
  >;
  readonly file: CpuStateFile;
  /** That of this machine when left out. */
  readonly topology?: CpuTopology;
}

/**
 * The static policy on this machine, with what an agent before has left.
 *
 * @throws CpuManagerError for a machine with too many nodes, a reservation that it does not have, and a state file that
 * the agent cannot go on with
 */
export async function openCpuManager(options: OpenCpuManagerOptions): Promise<CpuManager> {
  const { config, file } = options;
  const policy = makePolicy(options.topology ?? (await readTopology()), config);
  const state = await openCpuState(file, policy);
  const periodMs = config.cpuManagerReconcilePeriodMs;
  const cpuManager = new CpuManager({ ...options, policy, state, periodMs });
  await cpuManager.whenSaved();
  return cpuManager;
}

function makePolicy(topology: CpuTopology, config: OpenCpuManagerOptions['config']): CpuPolicy {
  const { orchReservedResources: own, systemReservedResources: system, reservedCpuIds: ids } = config;
  const alignment = config.features.TopologyManager ? config.topologyManagerPolicy : 'none';
  if (alignment !== 'none' && topology.nodes.length > maxNodes) {
    throw new CpuManagerError(`unsupported on machines with more than ${maxNodes} NUMA Nodes`);
  }
  const reserved = chooseReserved(topology, { ids, cpuMillis: own.cpuMillis + system.cpuMillis });
  if (reserved.problem !== undefined) {
    throw new CpuManagerError(`new static policy error: ${reserved.problem}`);
  }
  return { topology, reserved: reserved.cpus, alignment, scope: config.topologyManagerScope };
}
