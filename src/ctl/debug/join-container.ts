import type { ContainerStatus, Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import type { ConfigOf } from '../../config/index.ts';
import { joinPod } from '../attach/index.ts';
import type { Ctl } from '../ctl.ts';
import { printLog } from '../logs/print-log.ts';
import { awaitPod } from '../pods/await-pod.ts';
import type { DebugOptions } from './options.ts';

/**
 * Joins the streams of a container once it runs; shows what one wrote that has ended, or that cannot be joined. Waits for as long as
 * it takes.
 *
 * @throws StatusError NotFound when the pod goes
 */
export async function joinContainer(
  ctl: Ctl,
  { metadata }: Pod,
  name: string,
  { stdin, tty, quiet }: ConfigOf<DebugOptions>,
): Promise<void> {
  const { namespace = '', name: pod = '' } = metadata;
  const there = await awaitPod(ctl, {
    namespace,
    name: pod,
    isThere: (now) => {
      const { running, terminated } = statusOf(now, name)?.state ?? {};
      return Boolean(running || terminated);
    },
  });
  const print = (): Promise<void> =>
    printLog(
      ctl,
      { namespace, pod, container: name },
      { query: {}, hasPrefix: false, signal: ctl.io.signal },
    );
  if (statusOf(there, name)?.state?.terminated) return print();
  try {
    const container = { name, ...(tty && { tty: true }) };
    await joinPod(ctl, there, { container, hasStdin: stdin, wantsTty: tty, isQuiet: quiet });
  } catch (error) {
    if (ctl.io.signal.aborted) throw error;
    ctl.io.stderr.write(`Error attaching, falling back to logs: ${errorText(error)}\n`);
    await print();
  }
}

function statusOf({ status }: Pod, wanted: string): ContainerStatus | undefined {
  return [status.containerStatuses, status.initContainerStatuses, status.ephemeralContainerStatuses]
    .flatMap((statuses) => statuses ?? [])
    .find(({ name }) => name === wanted);
}
