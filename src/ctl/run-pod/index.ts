/**
 * `ctl run`: makes a pod with one container, a service for it when asked, and stays with it until it ends when asked.
 */
import { type ConfigOf, OptionsError } from '../../config/index.ts';
import { deleteTarget, waitUntilGone } from '../changes/delete-target.ts';
import { type SentObject, sendGenerated } from '../changes/generated.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, UsageError } from '../errors.ts';
import { readCascade } from '../options/deletion.ts';
import { readDryRun } from '../options/shared.ts';
import { checkRunningTimeout } from '../pods/running-timeout.ts';
import type { WireObject } from '../resource/api-object.ts';
import { defineVerb, type VerbCall } from '../verb.ts';
import { followPod } from './follow-pod.ts';
import { checkGenerator, makePod, makeServiceOf, readRestartPolicy, requireImage } from './make-pod.ts';
import { type RunOptions, runOptions } from './options.ts';

/** The verb. */
export const runVerb = defineVerb({
  program: {
    name: 'ctl run',
    summary: 'Run an image in a pod',
    usage: 'NAME --image=IMAGE [flags] [-- WORD...]',
    options: runOptions,
    examples: [
      {
        command: 'ctl run web --image=nginx --port=80 --expose',
        does: 'run a pod, and make a service for it',
      },
      { command: 'ctl run job --image=busybox --restart=Never -- date', does: 'run a command once' },
      {
        command: 'ctl run -it --rm sh --image=busybox --restart=Never',
        does: 'work in a pod that goes afterwards',
      },
    ],
  },
  async run(ctl, call) {
    const { options } = call;
    const isAttached = call.given.has('attach') ? options.attach : options.stdin;
    checkCall(call, isAttached);
    if (!options.expose) warnOfServiceFlags(ctl, call);
    const [name = '', ...words] = call.args;
    const pod = makePod(name, words, options);
    const made = [await send(ctl, options, pod, options.overrides)];
    try {
      if (options.expose) {
        const service = await send(ctl, options, makeServiceOf(pod, options), options.serviceOverrides);
        made.push(service);
        if (!options.quiet) service.report();
        if (options.output === 'yaml' && !isAttached) ctl.io.stdout.write('---\n');
      }
      if (isAttached) await follow(ctl, options, name, made[0]?.namespace ?? '');
      else made[0]?.report();
    } finally {
      if (options.rm) await removeAll(ctl, options, made);
    }
  },
});

/** There is no service that they could shape. */
function warnOfServiceFlags(ctl: Ctl, { given }: VerbCall<RunOptions>): void {
  const warn = (flag: string) => ctl.io.stderr.write(`Warning: --${flag} has no effect without --expose\n`);
  if (given.has('serviceOverrides')) warn('service-overrides');
  if (given.has('serviceGenerator')) warn('service-generator');
}

/** What release 1.20 checks before anything is made, in its order. @throws CtlError, UsageError, OptionsError */
function checkCall({ options, given, args, dashesAt }: VerbCall<RunOptions>, isAttached: boolean): void {
  if (!given.has('image')) throw new OptionsError(['required flag(s) "image" not set']);
  if (args.length === 0 || dashesAt === 0) throw new UsageError('NAME is required for run');
  if (options.podRunningTimeoutMs <= 0)
    throw new UsageError('--pod-running-timeout must be higher than zero');
  requireImage(options.image ?? '');
  if (options.tty && !options.stdin) {
    throw new UsageError('-i/--stdin is required for containers with -t/--tty=true');
  }
  if (options.expose && !options.port) throw new UsageError('--port must be set when exposing a service');
  if (options.expose) checkGenerator(options);
  if (options.rm && !isAttached) {
    throw new UsageError('--rm should only be used for attached containers');
  }
  if (isAttached && readDryRun(options.dryRun) !== 'none') {
    throw new UsageError(
      "--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)",
    );
  }
}

const send = (
  ctl: Ctl,
  options: ConfigOf<RunOptions>,
  object: WireObject,
  overrides: string | undefined,
): Promise<SentObject> =>
  sendGenerated(ctl, options, { object, verb: 'run', operation: 'created', rehearsal: 'unsaved', overrides });

function follow(ctl: Ctl, options: ConfigOf<RunOptions>, name: string, namespace: string): Promise<void> {
  const restartPolicy = readRestartPolicy(options);
  return followPod(ctl, {
    namespace,
    name,
    timeoutMs: checkRunningTimeout(options.podRunningTimeoutMs),
    hasStdin: options.stdin,
    wantsTty: options.tty,
    isQuiet: options.quiet,
    endsWithPod: !options.leaveStdinOpen && restartPolicy !== 'Always',
    isTriedAgain: restartPolicy === 'OnFailure',
  });
}

/** @throws CtlError for flags that do not go together */
async function removeAll(
  ctl: Ctl,
  options: ConfigOf<RunOptions>,
  made: readonly SentObject[],
): Promise<void> {
  const { force, quiet, wait, timeoutMs, cascade } = options;
  if (force && options.gracePeriodSeconds > 0) {
    throw new CtlError('--force and --grace-period greater than 0 cannot be specified together');
  }
  const gracePeriodSeconds = force ? 0 : options.gracePeriodSeconds;
  const propagationPolicy = readCascade(ctl, cascade);
  for (const { resource, ...place } of made) {
    if (resource === undefined) continue; // A rehearsal made nothing.
    const target = { ...place, resource };
    const uid = await deleteTarget(ctl, target, {
      propagationPolicy,
      dryRun: 'none',
      ...(gracePeriodSeconds >= 0 && { gracePeriodSeconds }),
    });
    if (!quiet)
      ctl.io.stdout.write(
        `${target.resource.kind.toLowerCase()} "${target.name}" ${force ? 'force ' : ''}deleted\n`,
      );
    if (wait) await waitUntilGone(ctl, { ...target, uid }, { timeoutMs });
  }
}
