import type { Probe } from '../../apis/types/core-v1.ts';
import { containerFieldPath, type EventRecorder } from '../events/index.ts';
import type { HookTarget } from './contract.ts';
import type { HandlerResult, ProbeHandlers } from './probe-handlers.ts';
import { type ProbeType, probeTitles } from './probe-type.ts';

/** A handler that cannot be run is tried again at once so often. */
const maxAttempts = 3;

/** One look at a container. */
export interface Look extends HookTarget {
  readonly type: ProbeType;
  readonly probe: Probe;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface JudgeOptions {
  readonly handlers: ProbeHandlers;
  readonly events: EventRecorder;
}

/**
 * Runs a probe once and records what operators should see of it. Undefined when it says nothing about the container: it
 * could not be run, or the look was given up.
 */
export async function judgeContainer(
  look: Look,
  options: JudgeOptions,
): Promise<'success' | 'failure' | undefined> {
  const { outcome, output } = await runWithRetries(look, options.handlers);
  if (look.signal.aborted) return undefined;
  const title = `${probeTitles[look.type]} probe`;
  switch (outcome) {
    case 'success':
      return 'success';
    case 'warning':
      record(look, options, 'ProbeWarning', `${title} warning: ${output}`);
      return 'success';
    case 'failure':
      record(look, options, 'Unhealthy', `${title} failed: ${output}`);
      return 'failure';
    case 'unknown':
      record(look, options, 'Unhealthy', `${title} errored: ${output}`);
      return undefined;
  }
}

async function runWithRetries(look: Look, handlers: ProbeHandlers): Promise<HandlerResult> {
  const { probe, containerId, container, podIp, timeoutMs, signal } = look;
  const target = { containerId, container, podIp, timeoutMs, signal };
  let result = await handlers.run(probe, target);
  for (let attempt = 1; attempt < maxAttempts && result.outcome === 'unknown' && !signal.aborted; attempt++) {
    result = await handlers.run(probe, target);
  }
  return result;
}

function record(look: Look, { events }: JudgeOptions, reason: string, message: string): void {
  const { pod, container, containerId } = look;
  const about = { kind: 'pod', pod, fieldPath: containerFieldPath('containers', container.name) } as const;
  events.record({ about, type: 'Warning', reason, message: message.replaceAll(containerId, container.name) });
}
