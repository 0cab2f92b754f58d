import type { Node, NodeCondition } from '../../apis/types/core-v1.ts';
import { formatTime } from '../../machinery/values/index.ts';

/** What was seen of a node, and when, by the clock of this machine: those of nodes may be wrong. */
export interface NodeHealth {
  /** The condition `Ready` when it was last looked at. */
  readonly ready: NodeCondition | undefined;
  /** When the lease was last renewed, as it says. */
  readonly renewTime: string | undefined;
  /** The last sign of life. */
  readonly seenMs: number;
  /** When `Ready` last changed. */
  readonly changedMs: number;
}

/** A node and what was known of it. */
export interface HealthFacts {
  readonly node: Pick<Node, 'metadata'> & { readonly status: Pick<Node['status'], 'conditions'> };
  /** Of its lease; undefined when it has none. */
  readonly renewTime: string | undefined;
  readonly before: NodeHealth | undefined;
  readonly nowMs: number;
}

/** How long nodes may be silent, and who it is that is silent. */
export interface HealthSettings {
  readonly monitorGraceMs: number;
  /** Of a node that never said anything. */
  readonly startupGraceMs: number;
  /** The name of agents, as sentences begin with it. */
  readonly agent: string;
}

/** What a node is found to be. */
export interface HealthDecision {
  readonly health: NodeHealth;
  /** The status of `Ready` as it is stored. */
  readonly observed: string;
  /** As it is to be; undefined while a new node may still be silent. */
  readonly current: string | undefined;
  /** All conditions, when they must be written. */
  readonly conditions: NodeCondition[] | undefined;
}

/** That of a network is not the agent's to report. */
const reportedTypes = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/**
 * Whether a node is alive. One that was silent for too long is in an unknown state. Pure. Source: release 1.20, `tryUpdateNodeHealth`.
 */
export function decideHealth(facts: HealthFacts, settings: HealthSettings): HealthDecision {
  const { node, nowMs } = facts;
  const { conditions = [] } = node.status;
  const ready = conditions.find(({ type }) => type === 'Ready');
  const health = look(facts, ready);
  const graceMs = ready === undefined ? settings.startupGraceMs : settings.monitorGraceMs;
  const observed = ready?.status ?? 'Unknown';
  const isSilent = nowMs > health.seenMs + graceMs;
  if (!isSilent || ready?.status === 'Unknown') {
    return { health, observed, current: ready?.status, conditions: undefined };
  }
  return { health, observed, current: 'Unknown', conditions: forget(facts, settings.agent) };
}

/** What is known of a node whose conditions were written. */
export const afterWrite = ({ health, conditions = [] }: HealthDecision, nowMs: number): NodeHealth => ({
  ...health,
  ready: conditions.find(({ type }) => type === 'Ready'),
  changedMs: nowMs,
});

function look({ node, renewTime, before, nowMs }: HealthFacts, ready: NodeCondition | undefined): NodeHealth {
  const isRenewed = renewTime !== undefined && renewTime !== before?.renewTime;
  const createdMs = Date.parse(node.metadata.creationTimestamp ?? '') || nowMs;
  let seen = { seenMs: nowMs, changedMs: nowMs };
  if (ready === undefined && before === undefined) seen = { seenMs: createdMs, changedMs: createdMs };
  else if (before !== undefined && (before.ready === undefined) === (ready === undefined)) {
    const isSaid = before.ready?.lastHeartbeatTime !== ready?.lastHeartbeatTime;
    const isChanged = isSaid && before.ready?.lastTransitionTime !== ready?.lastTransitionTime;
    seen = { seenMs: isSaid ? nowMs : before.seenMs, changedMs: isChanged ? nowMs : before.changedMs };
  }
  return { ...seen, ...(isRenewed && { seenMs: nowMs }), ready, renewTime: renewTime ?? before?.renewTime };
}

function forget({ node, nowMs }: HealthFacts, agent: string): NodeCondition[] {
  const { conditions = [] } = node.status;
  const lastTransitionTime = formatTime(nowMs);
  const known = conditions.map((condition) =>
    !reportedTypes.includes(condition.type) || condition.status === 'Unknown'
      ? condition
      : {
          ...condition,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: `${agent} stopped posting node status.`,
          lastTransitionTime,
        },
  );
  const missing = reportedTypes.filter((type) => !conditions.some((condition) => condition.type === type));
  return [
    ...known,
    ...missing.map((type) => ({
      type,
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: `${agent} never posted node status.`,
      lastHeartbeatTime: node.metadata.creationTimestamp,
      lastTransitionTime,
    })),
  ];
}
