import type { ContainerStatus, PodCondition, PodSpec } from '../../apis/types/core-v1.ts';
import { formatTime } from '../../machinery/values/index.ts';
import type { PodPhase } from './phase.ts';

/** Types of conditions that the agent alone decides. */
export const ownConditionTypes: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'Unschedulable',
  'ContainersReady',
]);

/** What conditions are made from. */
export interface ConditionsInput {
  readonly spec: PodSpec;
  readonly phase: PodPhase;
  readonly init: readonly ContainerStatus[] | undefined;
  readonly containers: readonly ContainerStatus[];
  /** Those of others; readiness gates read them. */
  readonly foreign: readonly PodCondition[];
  /** As they were last, for the times since when they hold. */
  readonly previous: readonly PodCondition[];
  readonly nowMs: number;
}

type Verdict = Pick<PodCondition, 'status' | 'reason' | 'message'>;
const isTrue: Verdict = { status: 'True' };

/** The conditions of a pod in the order of release 1.20, those of others first. */
export function makeConditions(input: ConditionsInput): PodCondition[] {
  const containersReady = judgeContainers(input);
  const own: [string, Verdict][] = [
    ['Initialized', judgeInit(input)],
    ['Ready', containersReady.status === 'True' ? judgeGates(input) : containersReady],
    ['ContainersReady', containersReady],
    ['PodScheduled', isTrue],
  ];
  return [...input.foreign, ...own.map(([type, verdict]) => makeCondition(type, verdict, input))];
}

function makeCondition(type: string, verdict: Verdict, { previous, nowMs }: ConditionsInput): PodCondition {
  const { status, ...why } = verdict;
  const before = previous.find((condition) => condition.type === type);
  const since = before?.status === status ? before.lastTransitionTime : undefined;
  return { type, status, lastProbeTime: null, lastTransitionTime: since ?? formatTime(nowMs), ...why };
}

function judgeContainers({ spec, phase, containers }: ConditionsInput): Verdict {
  const { unknown, unready } = sortNames(spec.containers ?? [], containers);
  if (phase === 'Succeeded' && unknown.length === 0) return { status: 'False', reason: 'PodCompleted' };
  const message = describeNames([
    ['containers with unknown status', unknown],
    ['containers with unready status', unready],
  ]);
  return message === '' ? isTrue : { status: 'False', reason: 'ContainersNotReady', message };
}

function judgeInit({ spec, phase, init = [] }: ConditionsInput): Verdict {
  const { unknown, unready } = sortNames(spec.initContainers ?? [], init);
  if (phase === 'Succeeded' && unknown.length === 0) return { ...isTrue, reason: 'PodCompleted' };
  const message = describeNames([
    ['containers with unknown status', unknown],
    ['containers with incomplete status', unready],
  ]);
  return message === '' ? isTrue : { status: 'False', reason: 'ContainersNotInitialized', message };
}

function judgeGates({ spec, foreign }: ConditionsInput): Verdict {
  const problems = (spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = foreign.find(({ type }) => type === conditionType);
    if (condition === undefined)
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (condition.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`];
  });
  if (problems.length === 0) return isTrue;
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}

function sortNames(
  containers: readonly { readonly name: string }[],
  statuses: readonly ContainerStatus[],
): { readonly unknown: readonly string[]; readonly unready: readonly string[] } {
  const byName = new Map(statuses.map((status) => [status.name, status]));
  const names = containers.map(({ name }) => name);
  return {
    unknown: names.filter((name) => !byName.has(name)),
    unready: names.filter((name) => byName.get(name)?.ready === false),
  };
}

function describeNames(groups: readonly (readonly [string, readonly string[]])[]): string {
  return groups
    .filter(([, names]) => names.length > 0)
    .map(([text, names]) => `${text}: [${names.join(' ')}]`)
    .join(', ');
}
