import type { Probe } from '../../apis/types/core-v1.ts';
import { containerFieldPath, type EventRecorder } from '../events/index.ts';
import type { HookTarget } from './contract.ts';
import type { HandlerResult, ProbeHandlers } from './probe-handlers.ts';
import { type ProbeType, probeTitles } from './probe-type.ts';

/** Attempts, without a pause, to run a handler that cannot be run. */
const maxAttempts = 3;

/** One attempt to probe a container. */
export interface ProbeAttempt extends HookTarget {
  readonly type: ProbeType;
  readonly probe: Probe;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What runs probes, and where unhealthy results are recorded. */
export interface JudgeOptions {
  readonly handlers: ProbeHandlers;
  readonly events: EventRecorder;
}

/**
 * Runs a probe once and records what operators should see of it. Undefined when there is no result: it could not be
 * run, or the attempt was aborted.
 */
export async function judgeContainer(
  attempt: ProbeAttempt,
  options: JudgeOptions,
): Promise<'success' | 'failure' | undefined> {
  const { outcome, output } = await runWithRetries(attempt, options.handlers);
  if (attempt.signal.aborted) return undefined;
  const title = `${probeTitles[attempt.type]} probe`;
  switch (outcome) {
    case 'success':
      return 'success';
    case 'warning':
      record(attempt, options, 'ProbeWarning', `${title} warning: ${output}`);
      return 'success';
    case 'failure':
      record(attempt, options, 'Unhealthy', `${title} failed: ${output}`);
      return 'failure';
    case 'unknown':
      record(attempt, options, 'Unhealthy', `${title} errored: ${output}`);
      return undefined;
  }
}

async function runWithRetries(attempt: ProbeAttempt, handlers: ProbeHandlers): Promise<HandlerResult> {
  const { probe, containerId, container, podIp, timeoutMs, signal } = attempt;
  const target = { containerId, container, podIp, timeoutMs, signal };
  let result = await handlers.run(probe, target);
  for (let attempt = 1; attempt < maxAttempts && result.outcome === 'unknown' && !signal.aborted; attempt++) {
    result = await handlers.run(probe, target);
  }
  return result;
}

function record(attempt: ProbeAttempt, { events }: JudgeOptions, reason: string, message: string): void {
  const { pod, container, containerId } = attempt;
  const about = { kind: 'pod', pod, fieldPath: containerFieldPath('containers', container.name) } as const;
  events.record({ about, type: 'Warning', reason, message: message.replaceAll(containerId, container.name) });
}

/** Moments at which a probe may be run: a first one, and then one after each period. */
export interface ProbeSteps {
  readonly firstMs: number;
  readonly periodMs: number;
}

/** The first step at that moment or after it. */
export function stepAtOrAfter({ firstMs, periodMs }: ProbeSteps, atMs: number): number {
  return firstMs + Math.max(0, Math.ceil((atMs - firstMs) / periodMs)) * periodMs;
}

/** The last step at that moment or before it; the first one when it is still to come. */
export function stepAtOrBefore({ firstMs, periodMs }: ProbeSteps, atMs: number): number {
  return firstMs + Math.max(0, Math.floor((atMs - firstMs) / periodMs)) * periodMs;
}
