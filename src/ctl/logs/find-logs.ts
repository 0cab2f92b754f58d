import type { Pod } from '../../apis/types/core-v1.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { findFirstPod, listPods } from '../pods/first-pod.ts';
import { isPod } from '../pods/pod.ts';
import { byLogging } from '../pods/pod-order.ts';
import { resolveOne } from '../pods/resolve-one.ts';
import { selectorOf, typeInMessages } from '../pods/selector-of.ts';
import type { WireObject } from '../resource/api-object.ts';
import { type ContainerChoice, type LogSource, logSources } from './log-source.ts';

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
