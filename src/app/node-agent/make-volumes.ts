import { resolve } from 'node:path';
import { nodeSelectorMatcher } from '../../apis/core/index.ts';
import type { AgentMetrics } from '../../nodeagent/api/index.ts';
import type { NodeRecord } from '../../nodeagent/node/index.ts';
import type { AgentObjects } from '../../nodeagent/objects/index.ts';
import {
  type Attacher,
  type CsiSettings,
  createMountCommands,
  createNodeCheck,
  createPodVolumes,
  type NodeCheck,
  type PodVolumes,
  type VolumePlugins,
} from '../../nodeagent/volumes/index.ts';
import type { AgentBase } from './agent-base.ts';
import { countVolumeOperation } from './count-metrics.ts';
import { migratedKindsOf } from './make-csi.ts';

/** What volumes read of other parts of the agent. */
interface VolumesInputs {
  readonly record: NodeRecord;
  readonly objects: AgentObjects | undefined;
  readonly drivers: CsiSettings['drivers'];
}

/** Volumes of the pods as the options want them, counted in the agent's metrics. */
export function makeVolumes(base: AgentBase, { record, objects, drivers }: VolumesInputs): PodVolumes {
  const { config, dialect, environment, clock, logger, events, metrics, nodeName } = base;
  const volumes = createPodVolumes({
    rootDirectory: config.rootDir,
    objects,
    mount: createMountCommands({ mountProgram: config.experimentalMounterPath }),
    usagePeriodMs: config.volumeStatsAggPeriodMs,
    boundsMemory: config.features.SizeMemoryBackedVolumes,
    hasGroupPolicy: config.features.ConfigurableFSGroupPolicy,
    hasGenericEphemeral: config.features.GenericEphemeralVolume,
    growth: growthOf(config),
    plugins: pluginsOf(base, record),
    csi: {
      drivers,
      nodeName,
      features: config.features,
      migratedKinds: migratedKindsOf(config),
      attacher: attacherOf(base, record),
    },
    environment,
    checkNode: nodeCheckOf(base),
    matchesNode: (selector) =>
      nodeSelectorMatcher(selector)({ labels: record.state().labels, name: nodeName }),
    onStale(pod, stale) {
      const about = { kind: 'pod', pod } as const;
      for (const event of stale) events.record({ about, type: 'Warning', ...event });
    },
    onEvent: (pod, event) => events.record({ about: { kind: 'pod', pod }, ...event }),
    onOperation: (operation) => countVolumeOperation(operation, metrics),
    dialect,
    clock,
    logger,
  });
  metrics.onCollect(() => countVolumes(volumes, metrics));
  return volumes;
}

function pluginsOf(base: AgentBase, record: NodeRecord): VolumePlugins | undefined {
  const { volumePluginDir } = base.config;
  if (volumePluginDir === '') return undefined;
  return { folder: resolve(volumePluginDir), attacher: attacherOf(base, record) };
}

function growthOf({ features }: Pick<AgentBase['config'], 'features'>): 'never' | 'unused' | 'always' {
  if (!features.ExpandPersistentVolumes) return 'never';
  return features.ExpandInUsePersistentVolumes ? 'always' : 'unused';
}

/** Where nobody else attaches devices, the agent does. */
function attacherOf({ config, clients, nodeName }: AgentBase, record: NodeRecord): Attacher {
  const isLeft = config.enableControllerAttachDetach && clients !== undefined;
  return isLeft ? { kind: 'controller', node: () => record.node?.status } : { kind: 'agent', nodeName };
}

function nodeCheckOf({ config, environment }: AgentBase): NodeCheck | undefined {
  if (!config.experimentalCheckNodeCapabilitiesBeforeMount) return undefined;
  return createNodeCheck({
    mountProgram: config.experimentalMounterPath,
    searchPath: environment.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin',
  });
}

function countVolumes(volumes: PodVolumes, metrics: AgentMetrics): void {
  metrics.clear('volume_manager_total_volumes');
  for (const { plugin, desired, actual } of volumes.counts()) {
    metrics.set('volume_manager_total_volumes', desired, [plugin, 'desired_state_of_world']);
    metrics.set('volume_manager_total_volumes', actual, [plugin, 'actual_state_of_world']);
  }
}
