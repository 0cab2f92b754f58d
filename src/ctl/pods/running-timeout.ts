import type { OptionSpec } from '../../config/index.ts';
import { CtlError } from '../errors.ts';

/** `--pod-running-timeout`, with the command's own default. */
export const runningTimeoutOption = <const T extends string>(defaultText: T) =>
  ({
    name: 'pod-running-timeout',
    type: 'duration',
    default: defaultText,
    section: 'Selection',
    help: 'How long to wait for a pod when there is none of those that are meant, such as 5s, 2m or 3h.',
  }) as const satisfies OptionSpec;

/** @throws CtlError when there is no time to wait. */
export function checkRunningTimeout(timeoutMs: number): number {
  if (timeoutMs <= 0) throw new CtlError('--pod-running-timeout must be higher than zero');
  return timeoutMs;
}
