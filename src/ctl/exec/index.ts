/**
 * `ctl exec`: runs a command in a container, with this process's streams and exit code. What a session is, is in
 * `client/remote-streams`.
 */
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { filenameOption } from '../options/shared.ts';
import { attachablePod } from '../pods/attachable-pod.ts';
import { firstContainer } from '../pods/default-container.ts';
import { resolveOne } from '../pods/resolve-one.ts';
import { checkRunningTimeout, runningTimeoutOption } from '../pods/running-timeout.ts';
import { streamOptions, usesTerminal } from '../remote/options.ts';
import { runRemote } from '../remote/run-remote.ts';
import type { WireObject } from '../resource/api-object.ts';
import { resolveObjects } from '../resource/resolve-objects.ts';
import { defineVerb } from '../verb.ts';

const oldForm =
  'ctl exec [POD] [COMMAND] is DEPRECATED and will be removed in a future version. Use ctl exec [POD] -- [COMMAND] instead.\n';

/** `ctl exec`. */
export const execVerb = defineVerb({
  program: {
    name: 'ctl exec',
    summary: 'Run a command in a container',
    usage: '(POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [ARGUMENTS...]',
    options: [...streamOptions, filenameOption, runningTimeoutOption('1m0s')],
    examples: [
      { command: 'ctl exec web-1 -- date', does: 'run a command in the first container of a pod' },
      { command: 'ctl exec -it web-1 -c ruby -- sh', does: 'work in a container' },
      { command: 'ctl exec deployment/web -- ls -l /usr', does: 'run a command in a pod of a deployment' },
    ],
    exitStatus: [
      ['0', 'The command ended with 0.'],
      ['1', 'It could not be run.'],
      ['other', 'The exit code of the command.'],
    ],
  },
  async run(ctl, call) {
    const { options } = call;
    const timeoutMs = checkRunningTimeout(options.podRunningTimeoutMs);
    const { word, command } = splitArguments(ctl, call, options.filename.length > 0);
    if (word === undefined && options.filename.length === 0) {
      throw new CtlError('pod, type/name or --filename must be specified');
    }
    if (command.length === 0) throw new CtlError('you must specify at least one command for the container');
    const pod = await attachablePod(ctl, await findObject(ctl, word, options.filename), timeoutMs);
    const phase = pod.status?.phase;
    if (phase === 'Succeeded' || phase === 'Failed') {
      throw new CtlError(`cannot exec into a container in a completed pod; current phase is ${phase}`);
    }
    const [, ...others] = pod.spec.containers ?? [];
    const container =
      options.container ||
      (others.length > 0 ? firstContainer(ctl, pod).name : pod.spec.containers?.[0]?.name);
    await runRemote(ctl, {
      namespace: pod.metadata.namespace ?? '',
      pod: pod.metadata.name ?? '',
      subresource: 'exec',
      query: { container, command },
      hasStdin: options.stdin,
      isRaw: usesTerminal(ctl, { hasStdin: options.stdin, isTty: options.tty }),
    });
  },
});

interface SplitArguments {
  readonly word: string | undefined;
  readonly command: readonly string[];
}

/** Without dashes the first argument names the pod, unless a file does, and the others are the command. */
function splitArguments(
  { io }: Ctl,
  { args, dashesAt }: { readonly args: readonly string[]; readonly dashesAt?: number | undefined },
  hasFiles: boolean,
): SplitArguments {
  const word = dashesAt === 0 ? undefined : args[0];
  if (dashesAt !== undefined) return { word, command: args.slice(dashesAt) };
  if (args.length > 1) {
    io.stderr.write(oldForm);
    return { word, command: args.slice(1) };
  }
  if (args.length === 0 || !hasFiles) return { word, command: [] };
  io.stderr.write(oldForm);
  return { word: undefined, command: args };
}

async function findObject(
  ctl: Ctl,
  word: string | undefined,
  filenames: readonly string[],
): Promise<WireObject> {
  if (filenames.length === 0) return resolveOne(ctl, word ?? '');
  const { objects, errors } = await resolveObjects(ctl, {
    args: word === undefined ? [] : [word],
    filenames,
    isRecursive: false,
  });
  if (errors.length > 0) throw errors[0];
  const [found] = objects;
  if (found === undefined || objects.length > 1) {
    throw new CtlError('cannot exec into multiple objects at a time');
  }
  return found.object;
}
