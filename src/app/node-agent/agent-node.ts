import type { NodeConfigStatus } from '../../apis/types/core-v1.ts';
import type { CsiNode } from '../../nodeagent/csi/index.ts';
import type { DeviceManager } from '../../nodeagent/devices/index.ts';
import type { RuntimeRelist } from '../../nodeagent/lifecycle/index.ts';
import {
  createNodeKeeper,
  type NodeKeeper,
  type NodePressure,
  NodeRecord,
  RuntimeHealth,
} from '../../nodeagent/node/index.ts';
import type { NodeShutdown } from '../../nodeagent/shutdown/index.ts';
import type { AgentBase } from './agent-base.ts';

/** What parts of the agent notified last that concerns the whole node. Only the handlers of notices write it. */
export interface NodeFindings {
  pressure: NodePressure;
  /** Undefined unless the node shuts down. */
  shutdown: NodeShutdown | undefined;
  /** Why the node has no CSINode yet; undefined: it has, or nothing waits for it. */
  csiNodeProblem: string | undefined;
  /** What the node's status shows of the agent's configuration; undefined without `--dynamic-config-dir`. */
  config: NodeConfigStatus | undefined;
}

/** The node as parts of the agent see it. */
export interface AgentNode {
  readonly record: NodeRecord;
  readonly health: RuntimeHealth;
  readonly findings: NodeFindings;
}

/** Nothing is known of the node yet: the node keeper learns it once it is started. */
export function makeAgentNode(base: AgentBase): AgentNode {
  const { config, nodeName, machine, driver, clients, dialect, clock, logger, dynamicConfig } = base;
  const health = new RuntimeHealth({ runtime: driver.runtime, clock, logger });
  const record = new NodeRecord({ config, nodeName, machine, health, dialect });
  const pressure = { memory: false, disk: false, pid: false };
  const waitsForCsiNode = config.features.CSIMigration && clients !== undefined;
  const findings: NodeFindings = {
    pressure,
    shutdown: undefined,
    csiNodeProblem: waitsForCsiNode ? 'CSINode is not yet initialized' : undefined,
    config: dynamicConfig?.status,
  };
  return { record, health, findings };
}

/** What the node's status shows beside the node itself. */
export interface NodeKeeperInputs {
  readonly relist: Pick<RuntimeRelist, 'problem' | 'whenAnswered'>;
  readonly csi: { readonly node: Pick<CsiNode, 'whenInitialized'> };
  readonly volumes: { inUse(): readonly string[] };
  readonly devices: Pick<DeviceManager, 'amounts' | 'hasCheckpoint'> | undefined;
  readonly collector: { images(): ReturnType<Parameters<typeof createNodeKeeper>[0]['images']> };
}

/** Keeps the record of the node, and its object in the API server, true from its start on. */
export function makeNodeKeeper(
  base: AgentBase,
  { record, health, findings }: AgentNode,
  { relist, csi, volumes, devices, collector }: NodeKeeperInputs,
): NodeKeeper {
  const { config, dialect, clock, logger, machine, nodeName, driver, clients, events, version } = base;
  return createNodeKeeper({
    client: clients?.heartbeat,
    config,
    machine,
    nodeName,
    record,
    health,
    runtime: driver.runtime,
    images: () => collector.images(),
    pressure: () => findings.pressure,
    whenSettled: Promise.all([
      relist.whenAnswered,
      findings.csiNodeProblem === undefined ? undefined : csi.node.whenInitialized,
    ]),
    problems: () => (relist.problem === undefined ? [] : [relist.problem]),
    lastProblems: () => {
      const { csiNodeProblem, shutdown } = findings;
      return [csiNodeProblem, shutdown?.problem].filter((one) => one !== undefined);
    },
    devices: () => devices?.amounts() ?? new Map(),
    keepsExtended: devices?.hasCheckpoint ?? true,
    volumesInUse: () => volumes.inUse(),
    nodeConfig: () => findings.config,
    port: config.port,
    release: version,
    events,
    dialect,
    clock,
    logger,
  });
}
