/**
 * `ctl attach`: joins this process's streams to those of the process that a container already runs.
 */
import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { attachablePod } from '../pods/attachable-pod.ts';
import { firstContainer } from '../pods/default-container.ts';
import { containersOf } from '../pods/pod.ts';
import { resolveOne } from '../pods/resolve-one.ts';
import { checkRunningTimeout, runningTimeoutOption } from '../pods/running-timeout.ts';
import { streamOptions, usesTerminal } from '../remote/options.ts';
import { runRemote } from '../remote/run-remote.ts';
import { defineVerb } from '../verb.ts';

/** `ctl attach`. */
export const attachVerb = defineVerb({
  program: {
    name: 'ctl attach',
    summary: 'Join the streams of a process that a container runs',
    usage: '(POD | TYPE/NAME) [-c CONTAINER] [flags]',
    options: [...streamOptions, runningTimeoutOption('1m0s')],
    examples: [
      { command: 'ctl attach web-1', does: 'see what the first container of a pod writes' },
      { command: 'ctl attach -it web-1 -c ruby', does: 'work with the process of a container' },
    ],
  },
  async run(ctl, { options, args }) {
    const pod = await findPod(ctl, args, options.podRunningTimeoutMs);
    const container = chooseContainer(ctl, pod, options.container ?? '');
    await joinPod(ctl, pod, { container, hasStdin: options.stdin, wantsTty: options.tty, isQuiet: false });
  },
});

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

async function findPod(ctl: Ctl, args: readonly string[], runningTimeoutMs: number): Promise<Pod> {
  if (args.length === 0) throw new CtlError('at least 1 argument is required for attach');
  if (args.length > 2) {
    throw new CtlError(
      `expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${args.length}: [${args.join(' ')}]`,
    );
  }
  const timeoutMs = checkRunningTimeout(runningTimeoutMs);
  const pod = await attachablePod(ctl, await resolveOne(ctl, args.join('/')), timeoutMs);
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') {
    throw new CtlError(`cannot attach a container in a completed pod; current phase is ${phase}`);
  }
  return pod;
}

type Attachable = Pick<Container, 'name' | 'tty'>;

function chooseContainer(ctl: Ctl, pod: Pod, wanted: string): Attachable {
  if (wanted === '') return firstContainer(ctl, pod);
  const found = containersOf(pod).find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  throw new CtlError(`cannot attach to the container: container not found (${wanted})`);
}

/** What runs with a terminal has to be spoken to as such, and what runs without has none to give. */
function checkTerminal({ io }: Ctl, { name, tty = false }: Attachable, isWanted: boolean): boolean {
  if (isWanted && !tty) {
    io.stderr.write(`Unable to use a TTY - container ${name} did not allocate one\n`);
  }
  return tty;
}
