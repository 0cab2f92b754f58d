import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText, keepProcessAlive, pause } from '../../base/index.ts';
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { isReason, StatusError } from '../../machinery/errors/index.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import { waitUntilGone } from '../changes/delete-target.ts';
import { dryRunNote } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import type { DryRun } from '../options/shared.ts';
import { type Target, targetPath } from '../resource/target.ts';

/** How long an eviction that a budget does not allow yet waits for the next try. Source: release 1.20. */
const retryDelayMs = 5000;
/** Pods that are evicted side by side: each waits for its own budget and its own end. */
const maxAtOnce = 100;

/** How pods are made to go. */
export interface EndPodsOptions {
  readonly dryRun: DryRun;
  /** Negative: as long as each pod asks for. */
  readonly gracePeriodSeconds: number;
  /** For all of it; 0: as long as it takes. */
  readonly timeoutMs: number;
  /** `policy/v1beta1` where the server evicts; undefined: pods are deleted, whatever budgets say. */
  readonly evictionVersion: string | undefined;
  readonly resource: DiscoveredResource;
}

/** Makes pods go and waits until they are gone, reporting each. @throws what went wrong, after all were tried */
export async function endPods(ctl: Ctl, pods: readonly Pod[], options: EndPodsOptions): Promise<void> {
  const { clock } = ctl.io;
  const untilMs = options.timeoutMs > 0 ? clock.nowMs() + options.timeoutMs : undefined;
  const errors: unknown[] = [];
  const waiting = [...pods];
  const work = async () => {
    for (let pod = waiting.shift(); pod !== undefined; pod = waiting.shift()) {
      try {
        await endPod(ctl, pod, options, untilMs);
      } catch (error) {
        ctl.io.signal.throwIfAborted();
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, pods.length) }, work));
  throwGathered(errors);
}

async function endPod(
  ctl: Ctl,
  pod: Pod,
  options: EndPodsOptions,
  untilMs: number | undefined,
): Promise<void> {
  const { namespace = '', name = '', uid } = pod.metadata;
  const { stdout } = ctl.io;
  const note = dryRunNote(options.dryRun);
  if (options.dryRun === 'client') return stdout.write(`evicting pod ${namespace}/${name}${note}\n`);
  const target = { resource: options.resource, namespace, name };
  const isEviction = options.evictionVersion !== undefined;
  if (isEviction) await evictPod(ctl, target, options, untilMs);
  else await deletePod(ctl, target, options);
  if (options.dryRun === 'none') {
    // A bound that has passed already is the shortest there is; 0 would be none.
    const timeoutMs = untilMs === undefined ? 0 : Math.max(1, untilMs - ctl.io.clock.nowMs());
    try {
      await waitUntilGone(ctl, { ...target, uid }, { timeoutMs });
    } catch (error) {
      const problem = `error when waiting for pod ${JSON.stringify(name)} terminating`;
      const isOver = untilMs !== undefined && ctl.io.clock.nowMs() >= untilMs;
      const reason = isOver
        ? `global timeout reached: ${formatDurationMs(options.timeoutMs)}`
        : errorText(error);
      throw new CtlError(`${problem}: ${reason}`, { cause: error });
    }
  }
  stdout.write(`pod/${name} ${isEviction ? 'evicted' : 'deleted'}${note}\n`);
}

async function deletePod(ctl: Ctl, target: Target, options: EndPodsOptions): Promise<void> {
  const client = await ctl.client();
  try {
    await client.json({
      method: 'DELETE',
      path: targetPath(target),
      body: { kind: 'DeleteOptions', apiVersion: 'v1', ...deletion(options) },
      signal: ctl.io.signal,
    });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}

/** Asks until the pod's budgets allow it. */
async function evictPod(
  ctl: Ctl,
  target: Target,
  options: EndPodsOptions,
  untilMs: number | undefined,
): Promise<void> {
  const { namespace, name = '' } = target;
  const { clock, signal, stdout, stderr } = ctl.io;
  const named = `when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)}`;
  for (;;) {
    stdout.write(`evicting pod ${namespace}/${name}${dryRunNote(options.dryRun)}\n`);
    const refusal = await tryToEvict(ctl, target, options);
    if (refusal === undefined || isReason(refusal, 'NotFound')) return;
    if (!isReason(refusal, 'TooManyRequests')) {
      throw new CtlError(`error ${named}: ${errorText(refusal)}`, { cause: refusal });
    }
    stderr.write(`error ${named} (will retry after 5s): ${errorText(refusal)}\n`);
    const leftMs = untilMs === undefined ? retryDelayMs : untilMs - clock.nowMs();
    const release = keepProcessAlive();
    await pause(clock, Math.max(0, Math.min(retryDelayMs, leftMs)), signal);
    release();
    signal.throwIfAborted();
    if (leftMs < retryDelayMs) {
      const bound = formatDurationMs(options.timeoutMs);
      throw new CtlError(`error ${named}: global timeout reached: ${bound}`, { cause: refusal });
    }
  }
}

/** What the server has against it; undefined when the pod goes. @throws what is no answer of a server */
async function tryToEvict(
  ctl: Ctl,
  target: Target,
  options: EndPodsOptions,
): Promise<StatusError | undefined> {
  const client = await ctl.client();
  const { namespace, name } = target;
  try {
    await client.json({
      method: 'POST',
      path: targetPath(target, 'eviction'),
      body: {
        kind: 'Eviction',
        apiVersion: options.evictionVersion,
        metadata: { name, namespace },
        deleteOptions: deletion(options),
      },
      signal: ctl.io.signal,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error;
  }
}

function deletion({ gracePeriodSeconds, dryRun }: EndPodsOptions) {
  return {
    ...(gracePeriodSeconds < 0 ? {} : { gracePeriodSeconds }),
    ...(dryRun === 'server' ? { dryRun: ['All'] } : {}),
  };
}
