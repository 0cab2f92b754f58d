import type { Pod } from '../../apis/types/core-v1.ts';
import { joinOrPrint } from '../attach/join-pod.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, ExitError } from '../errors.ts';
import { awaitPod } from '../pods/await-pod.ts';
import { isReady } from '../pods/pod.ts';

/** How a new pod is stayed with. */
export interface PodFollowing {
  readonly namespace: string;
  readonly name: string;
  readonly timeoutMs: number;
  readonly hasStdin: boolean;
  readonly wantsTty: boolean;
  readonly isQuiet: boolean;
  /** Whether the container is meant to end, and its exit code is that of the command. */
  readonly endsWithPod: boolean;
  /** A pod that failed is tried again, so that only its success is an end. */
  readonly isTriedAgain: boolean;
}

const hasEnded = ({ status }: Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';

/**
 * Joins the streams of a new pod once it runs, and waits for its end where it is meant to have one.
 *
 * @throws ExitError with the container's exit code when it is not 0, CtlError when the pod does not come or end in time.
 */
export async function followPod(ctl: Ctl, following: PodFollowing): Promise<void> {
  const { namespace, name, timeoutMs } = following;
  const place = { namespace, name, timeoutMs };
  const pod = await awaitPod(ctl, {
    ...place,
    isThere: (now) => hasEnded(now) || (now.status.phase === 'Running' && isReady(now)),
  });
  const [container] = pod.spec.containers ?? [];
  if (container === undefined) throw new CtlError(`pod ${name} has no containers`);
  await joinOrPrint(ctl, pod, {
    container,
    ...following,
    hasEnded: hasEnded(pod),
    complaint: `warning: couldn't attach to pod/${name}, falling back to streaming logs`,
  });
  if (!following.endsWithPod) return;
  const ended = await awaitPod(ctl, {
    ...place,
    isThere: (now) => (following.isTriedAgain ? now.status.phase === 'Succeeded' : hasEnded(now)),
  });
  if (ended.status.phase === 'Succeeded') return;
  const { terminated } = ended.status.containerStatuses?.[0]?.state ?? {};
  if (terminated === undefined || terminated.exitCode === 0) {
    throw new CtlError(`pod ${namespace}/${name} failed with unknown exit code`);
  }
  const { exitCode, reason = '', message = '' } = terminated;
  throw new ExitError(exitCode, `pod ${namespace}/${name} terminated (${reason})\n${message}`);
}
