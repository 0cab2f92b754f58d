import type { WatchEvent } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
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
import { createRunPrinter, tableRequest } from './tables.ts';

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

/**
 * Shows an object or a collection and then every change, until the process is told to end. When the server ends the
 * watch, a new one goes on where it stopped. @throws what the server refuses
 */
export async function watchTargets(run: WatchRun): Promise<void> {
  const { ctl, call, targets, format } = run;
  if (format.kind === 'human' && ctl.io.stdout.isTerminal && !call.options.outputWatchEvents) {
    const { findLiveTerminal, watchLive } = await import('./watch-live.ts');
    const size = findLiveTerminal(ctl);
    if (size !== undefined) return watchLive({ ...run, format, errors: [] }, size);
  }
  const [target] = targets;
  if (target === undefined || targets.length !== 1) {
    throw new CtlError(
      `watch is only supported on individual resources and resource collections - ${targets.length} resources were found`,
    );
  }
  const { screen, accept, query } = await createScreen(run, target);
  const client = await ctl.client();
  const { chunkSize, watchOnly } = call.options;
  for await (const seen of followTarget(client, target, {
    accept,
    query,
    chunkSize,
    signal: ctl.io.signal,
  })) {
    if (seen.kind === 'page' && !watchOnly) screen.showList(seen.document);
    if (seen.kind === 'event') screen.showEvent(seen.event);
  }
}

async function createScreen(
  run: WatchRun,
  target: Target,
): Promise<{ screen: Screen; accept: string | undefined; query: Record<string, string> }> {
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
  { ctl, call }: WatchRun,
  run: Parameters<typeof createRunPrinter>[0],
  target: Target,
): Promise<Screen> {
  const printer = await createRunPrinter(run, target, call.options.showKind);
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
