import type { ExecAction } from '../../apis/types/core-v1.ts';
import { expandCommand } from '../container-config/index.ts';
import { formatRuntimeFailure, RuntimeError, type RuntimeService } from '../runtime/index.ts';
import { joinOutput } from './command-output.ts';
import type { HandlerResult, HandlerTarget } from './probe-handlers.ts';

/** How probe commands are run, and whether their timeout counts (feature `ExecProbeTimeout`). */
export interface ExecProbeOptions {
  readonly runtime: Pick<RuntimeService, 'execSync'>;
  /** Whether a command that exceeds the timeout counts as a failure; otherwise its result is ignored. */
  readonly enforcesTimeout: boolean;
}

/** Runs a command in a container: its exit code 0 is a success. The runtime ends one that takes too long. */
export async function probeExec(
  { command = [] }: ExecAction,
  { container, containerId, timeoutMs, signal }: HandlerTarget,
  { runtime, enforcesTimeout }: ExecProbeOptions,
): Promise<HandlerResult> {
  // As in release 1.20, only literal values of the container's environment are expanded here.
  const environment = (container.env ?? []).map(({ name, value = '' }) => ({ name, value }));
  const expanded = expandCommand({ command }, environment).command;
  try {
    const result = await runtime.execSync({ containerId, command: expanded, timeoutMs, signal });
    return { outcome: result.exitCode === 0 ? 'success' : 'failure', output: joinOutput(result) };
  } catch (error) {
    const isLate = error instanceof RuntimeError && error.code === 'timeout';
    if (isLate && enforcesTimeout) return { outcome: 'failure', output: '' };
    const output = isLate
      ? `command ${JSON.stringify(expanded.join(' '))} timed out`
      : formatRuntimeFailure(error);
    return { outcome: 'unknown', output };
  }
}
