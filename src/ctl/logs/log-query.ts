import { errorText } from '../../base/index.ts';
import type { QueryValue } from '../../client/rest/index.ts';
import { formatTime, parseTime } from '../../machinery/values/index.ts';
import { CtlError } from '../errors.ts';
import type { VerbCall } from '../verb.ts';
import type { LogsOptions } from './options.ts';

/** Lines of each log when a selector chooses the pods and nobody says how many. Source: release 1.20. */
const selectorTail = 10;

/** The query of a request for a log, but for its container. @throws CtlError for flags that make no sense. */
export function readLogQuery({
  options,
  given,
}: Pick<VerbCall<LogsOptions>, 'options' | 'given'>): Readonly<Record<string, QueryValue>> {
  const sinceTime = options.sinceTime ? readTime(options.sinceTime) : undefined;
  const sinceSeconds = options.sinceMs === 0 ? undefined : roundSeconds(options.sinceMs);
  const tailsBySelector = Boolean(options.selector) && !given.has('tailLines');
  const tailLines = tailsBySelector ? selectorTail : options.tailLines;
  if (sinceTime !== undefined && sinceSeconds !== undefined) {
    throw new CtlError('at most one of `sinceTime` or `sinceSeconds` may be specified');
  }
  if (options.limitBytes < 0) throw new CtlError('--limit-bytes must be greater than 0');
  if ((sinceSeconds ?? 0) < 0) throw new CtlError('--since must be greater than 0');
  if (tailLines < -1) throw new CtlError('--tail must be greater than or equal to -1');
  return {
    follow: options.follow || undefined,
    previous: options.previous || undefined,
    timestamps: options.timestamps || undefined,
    sinceSeconds,
    sinceTime,
    tailLines: tailLines === -1 ? undefined : tailLines,
    limitBytes: options.limitBytes || undefined,
    insecureSkipTLSVerifyBackend: options.insecureSkipTlsVerifyBackend || undefined,
  };
}

/** To the nearest second, halves away from zero. */
function roundSeconds(durationMs: number): number {
  return Math.sign(durationMs) * Math.round(Math.abs(durationMs) / 1000);
}

function readTime(text: string): string {
  try {
    return formatTime(parseTime(text));
  } catch (error) {
    throw new CtlError(errorText(error), { cause: error });
  }
}
