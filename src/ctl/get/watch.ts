import type { WatchEvent } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { hasFiles } from '../options/shared.ts';
import { formatAge } from '../printers/human-duration.ts';
import { createObjectPrinter } from '../printers/object-printer.ts';
import type { OutputFormat } from '../printers/output-format.ts';
import { readTable, type TableDocument } from '../printers/table-document.ts';
import { listItems } from '../resource/api-object.ts';
import type { Target } from '../resource/target.ts';
import type { VerbCall } from '../verb.ts';
import { followTarget } from './follow.ts';
import { toPrintOptions } from './objects.ts';
import type { GetOptions } from './options.ts';
import { countTypes, createRunPrinter, groupByType, tableRequest } from './tables.ts';

/** What `get --watch` follows. */
export interface WatchRun {
  readonly ctl: Ctl;
  readonly call: VerbCall<GetOptions>;
  readonly format: OutputFormat;
  readonly targets: readonly Target[];
}

/** Shows answers of the list and events of the watch. */
interface Screen {
  showList(document: unknown): void;
  showEvent(event: WatchEvent): void;
}

/** Each target is a request that stays open. */
const maxTargets = 100;

/**
 * Shows objects or collections and then every change, until the process is told to end: changing in place on a terminal, else
 * as lines. When the server ends a watch, a new one goes on where it stopped. @throws what the server refuses
 */
export async function watchTargets(run: WatchRun): Promise<void> {
  const { ctl, call, targets, format } = run;
  if (targets.length > maxTargets) {
    throw new CtlError(
      `at most ${maxTargets} objects and types can be watched at once, not ${targets.length}`,
    );
  }
  if (format.kind === 'human' && ctl.io.stdout.isTerminal && !call.options.outputWatchEvents) {
    const { findLiveTerminal, watchLive } = await import('./watch-live.ts');
    const size = findLiveTerminal(ctl);
    if (size !== undefined) return watchLive({ ...run, format, errors: [] }, size);
  }
  // Scripts may count on what the client of release 1.20 refuses.
  if (targets.length !== 1 && ctl.dialect.name !== 'orch') throw refuseSeveral(run);
  if (call.options.sortBy) {
    ctl.io.stderr.write('warning: --watch or --watch-only requested, --sort-by will be ignored\n');
  }
  const ending = new AbortController();
  const signal = AbortSignal.any([ctl.io.signal, ending.signal]);
  try {
    const follows: Promise<void>[] = [];
    for (const group of groupByType(targets)) {
      const [first] = group;
      if (first === undefined) continue;
      const showing = await createScreen(run, first);
      for (const target of group) follows.push(followTo(run, target, { ...showing, signal }));
    }
    await Promise.all(follows);
  } finally {
    ending.abort();
  }
}

/** As release 1.20 words it. */
function refuseSeveral({ call: { options }, targets }: WatchRun): CtlError {
  const isOneType = countTypes(targets) === 1;
  if (!hasFiles(options)) {
    return new CtlError(
      isOneType
        ? 'you may only watch a single resource or type of resource at a time'
        : 'you may only specify a single resource type',
    );
  }
  const what = isOneType ? ', but a list of resources is found' : ' - more than 1 resource was found';
  return new CtlError(`watch is only supported on individual resources and resource collections${what}`);
}

interface Showing {
  readonly screen: Screen;
  readonly accept: string | undefined;
  readonly query: Record<string, string>;
}

async function followTo(
  { ctl, call }: WatchRun,
  target: Target,
  { screen, ...request }: Showing & { readonly signal: AbortSignal },
): Promise<void> {
  const { chunkSize, watchOnly } = call.options;
  let isTimeout = false;
  const options = { ...request, chunkSize, onTimeout: () => (isTimeout = true) };
  for await (const seen of followTarget(await ctl.client(), target, options)) {
    if (seen.kind === 'page' && !watchOnly) screen.showList(seen.document);
    if (seen.kind === 'event') screen.showEvent(seen.event);
  }
  if (isTimeout && ctl.flags.verbosity >= 5) await logTimeout(ctl);
}

/** Scripts look for this line to tell a watch whose time was over from one that the server ended. */
async function logTimeout({ io, flags }: Ctl): Promise<void> {
  const { createLogLines } = await import('../log-lines.ts');
  const reason = 'net/http: request canceled (Client.Timeout or context cancellation while reading body)';
  createLogLines(io, flags)(`Unable to decode an event from the watch stream: ${reason}`);
}

/** What shows the targets of one type, of which this is one, and how they are asked for. */
async function createScreen(run: WatchRun, target: Target): Promise<Showing> {
  const { format } = run;
  if (format.kind === 'human') {
    const tableRun = { ...run, format, errors: [] };
    return { screen: await createTableScreen(run, tableRun, target), ...tableRequest(tableRun) };
  }
  const print = await createObjectPrinter(toPrintOptions({ call: run.call, format }));
  const show = (type: string, object: unknown) => {
    const shown = run.call.options.outputWatchEvents ? { type, object } : object;
    run.ctl.io.stdout.write(print(shown));
  };
  return {
    accept: undefined,
    query: {},
    screen: {
      showList(document) {
        const objects = target.name === undefined ? listItems(document, target.resource) : [document];
        for (const object of objects) show('ADDED', object);
      },
      showEvent: ({ type, object }) => show(type, object),
    },
  };
}

async function createTableScreen(
  { ctl, call, targets }: WatchRun,
  run: Parameters<typeof createRunPrinter>[0],
  target: Target,
): Promise<Screen> {
  const printer = await createRunPrinter(run, target, call.options.showKind || countTypes(targets) > 1);
  const show = (type: string, document: unknown) => {
    const table = readTable(document, (time) => formatAge(time, ctl.io.clock.nowMs()));
    if (table.rows.length === 0) return;
    ctl.io.stdout.write(printer.print(call.options.outputWatchEvents ? withEventColumn(table, type) : table));
  };
  return {
    showList: (document) => show('ADDED', document),
    showEvent: ({ type, object }) => show(type, object),
  };
}

function withEventColumn(table: TableDocument, type: string): TableDocument {
  const columns = table.columns.length === 0 ? [] : [{ name: 'Event', priority: 0 }, ...table.columns];
  return { ...table, columns, rows: table.rows.map((row) => ({ ...row, cells: [type, ...row.cells] })) };
}
