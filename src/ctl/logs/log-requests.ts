import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import type { QueryValue } from '../../client/rest/index.ts';
import { formatTime, parseTime } from '../../machinery/values/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { findFirstPod, listPods } from '../pods/first-pod.ts';
import { isPod } from '../pods/pod.ts';
import { byLogging } from '../pods/pod-order.ts';
import { resolveOne } from '../pods/resolve-one.ts';
import { selectorOf, typeInMessages } from '../pods/selector-of.ts';
import type { WireObject } from '../resource/api-object.ts';
import type { VerbCall } from '../verb.ts';
import { type ContainerChoice, type LogSource, logSources } from './log-source.ts';
import type { LogsOptions } from './options.ts';

/** Whose logs are meant: those of an object, or of the pods that a selector selects. */
export interface LogRequest extends ContainerChoice {
  /** `NAME` or `TYPE/NAME`; undefined with a selector. */
  readonly word: string | undefined;
  readonly selector: string;
  readonly timeoutMs: number;
}

/** Finds the logs that are meant. @throws CtlError, or StatusError when there is no such object. */
export async function findLogs(ctl: Ctl, request: LogRequest): Promise<readonly LogSource[]> {
  if (request.word === undefined) {
    const { namespace } = await ctl.context();
    const { pods } = await listPods(ctl, { namespace, selector: request.selector });
    return pods.flatMap((pod) => logSources(ctl, pod, request));
  }
  const pod = await podToRead(ctl, await resolveOne(ctl, request.word), request.timeoutMs);
  return logSources(ctl, pod, request);
}

async function podToRead(ctl: Ctl, object: WireObject, timeoutMs: number): Promise<Pod> {
  if (isPod(object)) return object;
  const search = {
    namespace: object.metadata.namespace ?? '',
    selector: describeSelector(object),
    order: byLogging,
    timeoutMs,
  };
  const { pod, count } = await findFirstPod(ctl, search);
  if (count > 1) ctl.io.stderr.write(`Found ${count} pods, using pod/${pod.metadata.name}\n`);
  return pod;
}

function describeSelector(object: WireObject): string {
  try {
    return selectorOf(object).toString();
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    throw new CtlError(`cannot get the logs from ${typeInMessages(object)}: ${error.message}`);
  }
}

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
