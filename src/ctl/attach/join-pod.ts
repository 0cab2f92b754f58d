import type { Container, Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import type { Ctl } from '../ctl.ts';
import { printLog } from '../logs/print-log.ts';
import { usesTerminal } from '../remote/options.ts';
import { runRemote } from '../remote/run-remote.ts';

/** What has to be known of a container. */
export type Attachable = Pick<Container, 'name' | 'tty'>;

/** How the streams of a container are joined. */
export interface PodJoin {
  readonly container: Attachable;
  readonly hasStdin: boolean;
  readonly wantsTty: boolean;
  /** Without a word to whoever waits for a prompt. */
  readonly isQuiet: boolean;
}

/** Joins this process's streams to those of a container until that ends. @throws as `runRemote` */
export async function joinPod(ctl: Ctl, pod: Pod, join: PodJoin): Promise<void> {
  const { container, hasStdin, isQuiet } = join;
  const isTty = checkTerminal(ctl, container, join.wantsTty);
  const isRaw = usesTerminal(ctl, { hasStdin, isTty });
  if (!isQuiet) ctl.io.stderr.write("If you don't see a command prompt, try pressing enter.\n");
  await runRemote(ctl, {
    namespace: pod.metadata.namespace ?? '',
    pod: pod.metadata.name ?? '',
    subresource: 'attach',
    query: { container: container.name },
    hasStdin,
    isRaw,
    nudgesSize: true,
  });
  if (isQuiet || !isRaw || pod.spec.restartPolicy !== 'Always') return;
  ctl.io.stdout.write(
    `Session ended, resume using 'ctl attach ${pod.metadata.name} -c ${container.name} -i -t' command when the pod is running\n`,
  );
}

/**
 * Joins the streams of a container, or shows what it wrote where that is too late: it has ended, or cannot be joined.
 *
 * @throws StatusError, TransportError when there is no log either
 */
export async function joinOrPrint(
  ctl: Ctl,
  pod: Pod,
  join: PodJoin & {
    readonly hasEnded: boolean;
    /** What is said when the streams cannot be joined, before the reason. */
    readonly complaint: string;
  },
): Promise<void> {
  const { namespace = '', name = '' } = pod.metadata;
  const source = { namespace, pod: name, container: join.container.name };
  const print = (): Promise<void> =>
    printLog(ctl, source, { query: {}, hasPrefix: false, signal: ctl.io.signal });
  if (join.hasEnded) return print();
  try {
    await joinPod(ctl, pod, join);
  } catch (error) {
    if (ctl.io.signal.aborted) throw error;
    ctl.io.stderr.write(`${join.complaint}: ${errorText(error)}\n`);
    await print();
  }
}

/** What runs with a terminal has to be spoken to as such, and what runs without has none to give. */
function checkTerminal({ io }: Ctl, { name, tty = false }: Attachable, isWanted: boolean): boolean {
  if (isWanted && !tty) {
    io.stderr.write(`Unable to use a TTY - container ${name} did not allocate one\n`);
  }
  return tty;
}
