/**
 * `ctl get`: objects as tables that the server lays out, or in a machine's format; once, or with every change that
 * follows.
 */
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered, UsageError } from '../errors.ts';
import { rawPath } from '../options/raw-path.ts';
import { hasFiles, sourcesOf } from '../options/shared.ts';
import { parseOutputFormat } from '../printers/output-format.ts';
import { resolveTargets } from '../resource/resolve-targets.ts';
import type { Target } from '../resource/target.ts';
import { defineVerb, type VerbCall } from '../verb.ts';
import { type GetOptions, getOptions } from './options.ts';

/** The verb. */
export const getVerb = defineVerb({
  program: {
    name: 'ctl get',
    summary: 'Show one or many resources',
    usage: '(TYPE[,TYPE...] [NAME...] | TYPE/NAME... | -f FILE) [flags]',
    options: getOptions,
    examples: [
      { command: 'ctl get pods', does: 'list the pods of the namespace' },
      { command: 'ctl get deployments,services -o wide', does: 'list two types with more columns' },
      { command: "ctl get nodes -o jsonpath='{.items[*].metadata.name}'", does: 'print the names of nodes' },
      { command: 'ctl get deployment/web -o yaml --at=10m', does: 'print what it was ten minutes ago' },
      { command: 'ctl get pods -A -w', does: 'list all pods and follow their changes' },
      { command: 'ctl get pods,deployments -w', does: 'show two types on the terminal as they change' },
    ],
  },
  async run(ctl, call) {
    if (call.options.raw) {
      checkRaw(call);
      return printRaw(ctl, rawPath(call.options.raw));
    }
    checkOutput(call);
    if (call.options.at && (call.options.watch || call.options.watchOnly)) {
      throw new UsageError('--at shows the past, which does not change: it cannot be watched');
    }
    const format = parseOutputFormat(call.options.output);
    if (call.args.length === 0 && !hasFiles(call.options)) throw missingType(ctl);
    const at = call.options.at ? await momentOf(ctl, call.options.at) : undefined;
    const { targets, errors } = await findTargets(ctl, call);
    if (call.options.watch || call.options.watchOnly) {
      throwGathered(errors);
      const { watchTargets } = await import('./watch.ts');
      return watchTargets({ ctl, call, format, targets });
    }
    if (format.kind === 'human') {
      const { printTables } = await import('./tables.ts');
      return printTables({ ctl, call, format, targets, at, errors });
    }
    const { printObjects } = await import('./objects.ts');
    return printObjects({ ctl, call, format, targets, at, errors });
  },
});

async function momentOf(ctl: Ctl, at: string): Promise<string> {
  const { parseMoment } = await import('../resource/read-past.ts');
  return parseMoment(at, { flag: 'at', nowMs: ctl.io.clock.nowMs() });
}

function missingType(ctl: Ctl): UsageError {
  ctl.io.stderr.write(
    'You must specify the type of resource to get. Use "ctl api-resources" for a complete list of supported resources.\n\n',
  );
  return new UsageError(
    'Required resource not specified.\nUse "ctl explain <resource>" for a detailed description of that resource (e.g. ctl explain pods).',
  );
}

async function findTargets(
  ctl: Ctl,
  { args, options }: VerbCall<GetOptions>,
): Promise<{ targets: readonly Target[]; errors: unknown[] }> {
  if (hasFiles(options)) {
    const { resolveFiles } = await import('../resource/resolve-files.ts');
    return resolveFiles(ctl, { ...sourcesOf(options), args });
  }
  const targets = await resolveTargets(ctl, {
    args,
    labelSelector: options.selector,
    fieldSelector: options.fieldSelector,
    isAllNamespaces: options.allNamespaces,
    allowsTypesOnly: true,
  });
  return { targets, errors: [] };
}

/** @throws CtlError, UsageError when anything else than the path was asked for */
function checkRaw({ options, args, given }: VerbCall<GetOptions>): void {
  if (args.length > 0) throw new CtlError('arguments may not be passed when --raw is specified');
  if (options.output) throw new UsageError('--raw and --output are mutually exclusive');
  if (options.at) throw new UsageError('--at and --raw exclude each other');
  const others = [
    'watch',
    'watchOnly',
    'selector',
    'fieldSelector',
    'sortBy',
    'filename',
    'kustomize',
  ] as const;
  if (others.some((key) => given.has(key)))
    throw new CtlError(
      '--raw may not be specified with other flags that filter the server request or alter the output',
    );
}

/** @throws CtlError, UsageError for flags that have no meaning without others */
function checkOutput({ options }: VerbCall<GetOptions>): void {
  const { output = '', showLabels, outputWatchEvents, watch, watchOnly } = options;
  if (showLabels && output !== '' && output !== 'wide') {
    throw new CtlError(`--show-labels option cannot be used with ${output} printer`);
  }
  if (outputWatchEvents && !watch && !watchOnly) {
    throw new UsageError('--output-watch-events option can only be used with --watch or --watch-only');
  }
}

async function printRaw(ctl: Ctl, path: string): Promise<void> {
  const client = await ctl.client();
  const stream = await client.stream({
    method: 'GET',
    path,
    accept: '*/*',
  });
  for await (const chunk of stream.chunks) ctl.io.stdout.write(chunk.toString('utf8'));
}
