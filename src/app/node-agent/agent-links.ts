import type { DynamicConfig } from '../../nodeagent/dynamic-config/index.ts';
import type { EvictionManager } from '../../nodeagent/eviction/index.ts';
import type { PodManager, RuntimeWatch } from '../../nodeagent/lifecycle/index.ts';
import type { NodeKeeper, NodePressure } from '../../nodeagent/node/index.ts';
import type { Processors } from '../../nodeagent/processors/index.ts';
import type { PodReports } from '../../nodeagent/reports/index.ts';
import type { ShutdownManager } from '../../nodeagent/shutdown/index.ts';
import type { PodVolumes } from '../../nodeagent/volumes/index.ts';
import type { Sources } from './start-sources.ts';

/** Parts of an agent that tell one another. Each is filled in once it is there; until then nobody is told. */
export interface AgentLinks {
  node?: NodeKeeper;
  manager?: PodManager;
  watch?: RuntimeWatch;
  volumes?: Pick<PodVolumes, 'inUse'>;
  eviction?: EvictionManager;
  /** Without it, what the configuration was chosen from still holds. */
  dynamicConfig?: DynamicConfig | undefined;
  /** Stays away unless shutdowns of the node wait for pods. */
  shutdown?: ShutdownManager;
  sources?: Sources;
  /** Stays away while containers share all processors. */
  processors?: Processors;
  /** Stays away without an API server. */
  reports?: PodReports;
}

const noPressure: NodePressure = { memory: false, disk: false, pid: false };

/** What the node runs short of; nothing before anybody has looked. */
export const pressureOf = ({ eviction }: AgentLinks): NodePressure => eviction?.pressure() ?? noPressure;
