import { quoteGo } from '../../machinery/errors/index.ts';
import { formatRuntimeFailure } from '../runtime/index.ts';

/** A part of a pod that could not be ended. */
export interface KillFailure {
  readonly action: 'KillContainer' | 'KillPodSandbox';
  /** Name of the container, or uid of the pod. */
  readonly target: string;
  readonly reason: unknown;
}

/** A pod could not be ended; the message is release 1.20's, the cause why the first of its parts could not. */
export class KillError extends Error {
  override readonly name = 'KillError';

  constructor(failures: readonly KillFailure[]) {
    const texts = failures.map(describe);
    const message = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`;
    super(message, { cause: failures[0]?.reason });
  }
}

function describe({ action, target, reason }: KillFailure): string {
  const [name, subject, why] = [action, target, formatRuntimeFailure(reason)].map(quoteGo);
  return `failed to ${name} for ${subject} with ${action}Error: ${why}`;
}
