import { asJsonObject, asText } from '../../base/index.ts';
import { type RestRequest, TransportError, type WatchEvent, watchEvents } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { formatAge } from '../printers/human-duration.ts';
import { createObjectPrinter } from '../printers/object-printer.ts';
import type { OutputFormat } from '../printers/output-format.ts';
import { readTable, type TableDocument } from '../printers/table-document.ts';
import { listItems } from '../resource/api-object.ts';
import { readDocuments } from '../resource/read-collection.ts';
import { type Target, targetPath } from '../resource/target.ts';
import type { VerbCall } from '../verb.ts';
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
  const { ctl, call, targets } = run;
  const [target] = targets;
  if (target === undefined || targets.length !== 1) {
    throw new CtlError(
      `watch is only supported on individual resources and resource collections - ${targets.length} resources were found`,
    );
  }
  const { screen, accept, query } = await createScreen(run, target);
  const client = await ctl.client();
  let resourceVersion = '';
  const options = { accept, query, chunkSize: call.options.chunkSize, signal: ctl.io.signal };
  for await (const document of readDocuments(client, target, options)) {
    resourceVersion = versionOf(document);
    if (!call.options.watchOnly) screen.showList(document);
  }
  const request = watchRequest(target, { accept, query, signal: ctl.io.signal });
  try {
    while (!ctl.io.signal.aborted) {
      const from = { ...request, query: { ...request.query, resourceVersion } };
      for await (const event of watchEvents(client, from)) {
        resourceVersion = eventVersionOf(event) || resourceVersion;
        if (event.type !== 'BOOKMARK') screen.showEvent(event);
      }
    }
  } catch (error) {
    // --request-timeout says how long to watch, and an interrupt ends it: neither is a failure.
    const isExpected = error instanceof TransportError && error.code === 'timeout';
    if (!isExpected && !ctl.io.signal.aborted) throw error;
  }
}

function watchRequest(
  target: Target,
  options: { accept: string | undefined; query: Record<string, string>; signal: AbortSignal },
): RestRequest {
  const { name, ...collection } = target;
  const byName = name === undefined ? target.fieldSelector : `metadata.name=${name}`;
  return {
    method: 'GET',
    path: targetPath({ ...collection, name: undefined }),
    accept: options.accept,
    signal: options.signal,
    query: { ...options.query, labelSelector: target.labelSelector, fieldSelector: byName },
  };
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

/** Where a watch goes on after this event. Tables carry it in the objects of their rows. */
function eventVersionOf({ object }: WatchEvent): string {
  const { rows } = asJsonObject(object);
  return versionOf(Array.isArray(rows) ? asJsonObject(rows[0]).object : object);
}

function versionOf(document: unknown): string {
  return asText(asJsonObject(asJsonObject(document).metadata).resourceVersion);
}
