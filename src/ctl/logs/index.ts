/**
 * `ctl logs`: finds the logs that a command line means and prints them, one after another, or all at the same time when
 * they are followed. What a log is, is the server's to know.
 */
import type { Ctl } from '../ctl.ts';
import { CtlError, UsageError } from '../errors.ts';
import { formatError } from '../format-error.ts';
import { checkRunningTimeout } from '../pods/running-timeout.ts';
import { defineVerb, type VerbCall } from '../verb.ts';
import { findLogs, readLogQuery } from './log-requests.ts';
import type { LogSource } from './log-source.ts';
import { type LogsOptions, logsOptions } from './options.ts';
import { type LogPrint, printLog } from './print-log.ts';

const usage = '[-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]';

/** `ctl logs`. */
export const logsVerb = defineVerb({
  program: {
    name: 'ctl logs',
    summary: 'Print what containers have written',
    usage: `${usage} [flags]`,
    options: logsOptions,
    examples: [
      { command: 'ctl logs web-1', does: 'print the log of a pod with one container' },
      { command: 'ctl logs -f -c ruby web-1', does: 'follow the log of one container' },
      { command: 'ctl logs deployment/web --tail=20', does: 'print the last lines of a pod of a deployment' },
      { command: 'ctl logs -l app=web --all-containers --prefix', does: 'print the logs of all these pods' },
    ],
  },
  async run(ctl, call) {
    const { options } = call;
    const [word, inlineContainer] = readArguments(call);
    const container = inlineContainer ?? options.container ?? '';
    const timeoutMs = checkRunningTimeout(options.podRunningTimeoutMs);
    const query = readLogQuery(call);
    const isAll = options.allContainers;
    if (isAll && container !== '') {
      throw new CtlError(`--all-containers=true should not be specified with container name ${container}`);
    }
    if (call.given.has('container') && inlineContainer !== undefined) {
      throw new CtlError('only one of -c or an inline [CONTAINER] arg is allowed');
    }
    const selector = options.selector ?? '';
    const sources = await findLogs(ctl, { word, container, isAll, selector, timeoutMs });
    const print = { query, hasPrefix: options.prefix, ignoresErrors: options.ignoreErrors };
    if (!options.follow || sources.length < 2) return printInTurn(ctl, sources, print);
    const most = options.maxLogRequests;
    if (sources.length > most) {
      throw new CtlError(
        `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${most}, use --max-log-requests to increase the limit`,
      );
    }
    return printTogether(ctl, sources, print);
  },
});

/** @throws UsageError when there are too few or too many. */
function readArguments({ args, options }: VerbCall<LogsOptions>): readonly (string | undefined)[] {
  if (args.length > 2 || (args.length === 0 && !options.selector)) {
    throw new UsageError(
      `expected 'logs ${usage}'.\nPOD or TYPE/NAME is a required argument for the logs command`,
    );
  }
  if (args.length === 1 && options.selector) {
    throw new UsageError('only a selector (-l) or a POD name is allowed');
  }
  return args;
}

interface LogRun extends Omit<LogPrint, 'signal'> {
  readonly ignoresErrors: boolean;
}

async function printInTurn(ctl: Ctl, sources: readonly LogSource[], run: LogRun): Promise<void> {
  const { signal } = ctl.io;
  for (const source of sources) await printOrReport(ctl, source, { ...run, signal });
}

/** Ends with the first failure, unless failures are to be ignored. */
async function printTogether(ctl: Ctl, sources: readonly LogSource[], run: LogRun): Promise<void> {
  const others = new AbortController();
  const signal = AbortSignal.any([ctl.io.signal, others.signal]);
  const all = sources.map((source) => printOrReport(ctl, source, { ...run, signal }));
  try {
    await Promise.all(all);
  } finally {
    others.abort();
    await Promise.allSettled(all);
  }
}

async function printOrReport(ctl: Ctl, source: LogSource, run: LogRun & LogPrint): Promise<void> {
  try {
    await printLog(ctl, source, run);
  } catch (error) {
    if (!run.ignoresErrors) throw error;
    ctl.io.stdout.write(`error: ${messageOf(error)}\n`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : formatError(error).trimEnd();
}
