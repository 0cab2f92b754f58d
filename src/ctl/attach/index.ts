/**
 * `ctl attach`: joins this process's streams to those of the process that a container already runs.
 */
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { attachablePod } from '../pods/attachable-pod.ts';
import { firstContainer } from '../pods/default-container.ts';
import { containersOf } from '../pods/pod.ts';
import { resolveOne } from '../pods/resolve-one.ts';
import { checkRunningTimeout, runningTimeoutOption } from '../pods/running-timeout.ts';
import { streamOptions } from '../remote/options.ts';
import { defineVerb } from '../verb.ts';
import { type Attachable, joinPod } from './join-pod.ts';

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

function chooseContainer(ctl: Ctl, pod: Pod, wanted: string): Attachable {
  if (wanted === '') return firstContainer(ctl, pod);
  const found = containersOf(pod).find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  throw new CtlError(`cannot attach to the container: container not found (${wanted})`);
}
