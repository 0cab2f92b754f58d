import type { ContainerStatus, Pod } from '../../apis/types/core-v1.ts';
import type { ConfigOf } from '../../config/index.ts';
import { joinOrPrint } from '../attach/join-pod.ts';
import type { Ctl } from '../ctl.ts';
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
  await joinOrPrint(ctl, there, {
    container: { name, tty },
    hasStdin: stdin,
    wantsTty: tty,
    isQuiet: quiet,
    hasEnded: Boolean(statusOf(there, name)?.state?.terminated),
    complaint: 'Error attaching, falling back to logs',
  });
}

function statusOf({ status }: Pod, wanted: string): ContainerStatus | undefined {
  return [status.containerStatuses, status.initContainerStatuses, status.ephemeralContainerStatuses]
    .flatMap((statuses) => statuses ?? [])
    .find(({ name }) => name === wanted);
}
