import type { NodeCondition } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { formatTime } from '../../machinery/values/index.ts';
import type { NodePressure } from './node-keeper.ts';

/** Everything that the conditions of a node are computed from; the result depends on nothing else. */
export interface ConditionInputs {
  /** Conditions that the node has shown last; those of others are left alone. */
  readonly shown: readonly NodeCondition[];
  readonly pressure: NodePressure;
  /** Why pods cannot run; none: the node is ready. */
  readonly problems: readonly string[];
  readonly hasAppArmor: boolean;
  readonly nowMs: number;
  readonly dialect: Dialect;
}

/** Current conditions, and for each that has changed the reason of its event. */
export interface NodeConditions {
  readonly conditions: readonly NodeCondition[];
  readonly changes: readonly string[];
}

interface Finding {
  readonly type: string;
  readonly isTrue: boolean;
  /** In the orch spelling, without the agent's name before it. */
  readonly reason: string;
  readonly message: string;
  readonly event: string;
  /** A condition that was not there before is worth no event. */
  readonly isQuietAtFirst?: boolean;
}

/** Conditions of the node in the order of release 1.20: memory, disk, processes, ready. */
export function nodeConditions(inputs: ConditionInputs): NodeConditions {
  const { shown, dialect, nowMs } = inputs;
  const now = formatTime(nowMs);
  const changes: string[] = [];
  const conditions = findings(inputs).map(
    ({ type, isTrue, reason, message, event, isQuietAtFirst }): NodeCondition => {
      const before = shown.find((one) => one.type === type);
      const status = isTrue ? 'True' : 'False';
      const hasChanged = before?.status !== status;
      if (hasChanged && !(before === undefined && isQuietAtFirst)) changes.push(event);
      return {
        type,
        status,
        lastHeartbeatTime: now,
        lastTransitionTime: hasChanged ? now : (before?.lastTransitionTime ?? now),
        reason: dialect.spell(`NodeAgent${reason}`),
        message,
      };
    },
  );
  return { conditions, changes };
}

function findings({ pressure, problems, hasAppArmor, dialect }: ConditionInputs): Finding[] {
  const agent = dialect.spell('nodeagent');
  const isReady = problems.length === 0;
  return [
    {
      type: 'MemoryPressure',
      isTrue: pressure.memory,
      reason: pressure.memory ? 'HasInsufficientMemory' : 'HasSufficientMemory',
      message: `${agent} has ${pressure.memory ? 'in' : ''}sufficient memory available`,
      event: pressure.memory ? 'NodeHasInsufficientMemory' : 'NodeHasSufficientMemory',
    },
    {
      type: 'DiskPressure',
      isTrue: pressure.disk,
      reason: pressure.disk ? 'HasDiskPressure' : 'HasNoDiskPressure',
      message: `${agent} has ${pressure.disk ? '' : 'no '}disk pressure`,
      event: pressure.disk ? 'NodeHasDiskPressure' : 'NodeHasNoDiskPressure',
    },
    {
      type: 'PIDPressure',
      isTrue: pressure.pid,
      reason: pressure.pid ? 'HasInsufficientPID' : 'HasSufficientPID',
      message: `${agent} has ${pressure.pid ? 'in' : ''}sufficient PID available`,
      event: pressure.pid ? 'NodeHasInsufficientPID' : 'NodeHasSufficientPID',
    },
    {
      type: 'Ready',
      isTrue: isReady,
      reason: isReady ? 'Ready' : 'NotReady',
      message: isReady
        ? `${agent} is posting ready status${hasAppArmor ? '. AppArmor enabled' : ''}`
        : joinProblems(problems),
      event: isReady ? 'NodeReady' : 'NodeNotReady',
      isQuietAtFirst: true,
    },
  ];
}

/** Several problems as one text. */
function joinProblems(problems: readonly string[]): string {
  const distinct = [...new Set(problems)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
