import { loadColours } from '../../config/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { formatAge } from '../printers/human-duration.ts';
import type { OutputFormat } from '../printers/output-format.ts';
import { readTable, type TableColumn, type TableRow } from '../printers/table-document.ts';
import { createTablePrinter, type TablePrinter, type TablePrintOptions } from '../printers/table-printer.ts';
import { interleaveErrors, type PlacedError } from '../resource/arrange-errors.ts';
import { readDocuments } from '../resource/read-collection.ts';
import { kindName, type Target } from '../resource/target.ts';
import type { VerbCall } from '../verb.ts';
import type { GetOptions } from './options.ts';

/** What `get` shows as tables. */
export interface TableRun {
  readonly ctl: Ctl;
  readonly call: VerbCall<GetOptions>;
  readonly format: OutputFormat & { readonly kind: 'human' };
  readonly targets: readonly Target[];
  /** The version to show, as `parseMoment` gives it; the present when undefined. */
  readonly at?: string | undefined;
  /** What went wrong before; reported after the tables. */
  readonly errors: readonly unknown[];
}

/** Tables first, lists of objects from servers that have none. */
function tableAccept({ dialect }: Ctl): string {
  const group = dialect.group('meta');
  return [
    `application/json;as=Table;v=v1;g=${group}`,
    `application/json;as=Table;v=v1beta1;g=${group}`,
    'application/json',
  ].join(',');
}

/** Prints one table per type, a blank line between those with headings. @throws what failed, after everything that worked is shown. */
export async function printTables(run: TableRun): Promise<void> {
  const { ctl, call, targets } = run;
  const unread: PlacedError[] = [];
  const tables: GroupTable[] = [];
  for (const group of groupByType(targets)) tables.push(await readGroup(run, group, unread));
  refuseSeveral(run, tables);
  const errors = interleaveErrors(ctl.dialect, run.errors, unread);
  const showsKind = call.options.showKind || countTypes(tables.flatMap(({ answered }) => answered)) > 1;
  let hasOutput = false;
  for (const table of tables) {
    if (table.rows.length === 0 || table.answered[0] === undefined) continue;
    const printer = await createRunPrinter(run, table.answered[0], showsKind);
    const rows = call.options.sortBy ? await sortRows(run, table.rows, call.options.sortBy) : table.rows;
    if (rows.length === 0) continue;
    const separator = hasOutput && !call.options.noHeaders ? '\n' : '';
    ctl.io.stdout.write(separator + printer.print({ ...table, rows }));
    hasOutput = true;
  }
  if (!hasOutput && errors.length === 0 && !call.options.ignoreNotFound) await reportNothing(run);
  throwGathered(errors);
}

/** The printer for one type's tables. */
export async function createRunPrinter(
  run: TableRun,
  target: Target,
  showsKind: boolean,
): Promise<TablePrinter> {
  return createTablePrinter(await tableOptions(run, target, showsKind));
}

/** How one type's tables are shown. */
export async function tableOptions(
  { ctl, call, format }: TableRun,
  { resource }: Target,
  showsKind: boolean,
): Promise<TablePrintOptions> {
  return {
    hasHeaders: !call.options.noHeaders,
    isWide: format.isWide,
    showsNamespace: call.options.allNamespaces && resource.isNamespaced,
    kindPrefix: showsKind ? `${kindName(resource)}/` : '',
    showsLabels: call.options.showLabels,
    labelColumns: call.options.labelColumns,
    colours: await loadColours({ isTerminal: ctl.io.stdout.isTerminal, env: ctl.io.env }),
  };
}

/** Query and media type of requests whose answers are shown as tables. */
export function tableRequest({ ctl, call }: TableRun): { accept: string; query: Record<string, string> } {
  const accept = call.options.serverPrint ? tableAccept(ctl) : 'application/json';
  return { accept, query: call.options.sortBy ? { includeObject: 'Object' } : {} };
}

/** The table of targets of one type. */
interface GroupTable {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Targets that the server knows. */
  readonly answered: readonly Target[];
}

async function readGroup(
  run: TableRun,
  targets: readonly Target[],
  unread: PlacedError[],
): Promise<GroupTable> {
  const { ctl, call, at } = run;
  const client = await ctl.client();
  const nowMs = ctl.io.clock.nowMs();
  const rows: TableRow[] = [];
  const answered: Target[] = [];
  let columns: readonly TableColumn[] = [];
  for (const target of targets) {
    try {
      const { chunkSize } = call.options;
      const options = { ...tableRequest(run), chunkSize, at, signal: ctl.io.signal };
      for await (const document of readDocuments(client, target, options)) {
        const table = readTable(document, (time) => formatAge(time, nowMs));
        if (columns.length === 0) columns = table.columns;
        for (const row of table.rows) rows.push(row);
      }
      answered.push(target);
    } catch (error) {
      if (!(call.options.ignoreNotFound && isReason(error, 'NotFound')))
        unread.push({ error, after: target.after ?? 0 });
    }
  }
  return { columns, rows, answered };
}

/** Targets of one type that follow one another share a table. */
export function groupByType(targets: readonly Target[]): Target[][] {
  const groups: Target[][] = [];
  for (const target of targets) {
    const last = groups.at(-1);
    if (last?.[0]?.resource === target.resource) last.push(target);
    else groups.push([target]);
  }
  return groups;
}

/** How many types targets are of. */
export function countTypes(targets: readonly Target[]): number {
  return new Set(targets.map(({ resource }) => resource)).size;
}

async function sortRows(
  { ctl, call }: TableRun,
  rows: readonly TableRow[],
  path: string,
): Promise<readonly TableRow[]> {
  const { sortByPath } = await import('../printers/sort.ts');
  const sort = () => sortByPath(rows, path, (row) => row.object);
  if (ctl.dialect.name === 'orch' || !call.options.serverPrint) return sort();
  // Release 1.20's client shows one row as it is, and forgets a table that it cannot sort.
  if (rows.length < 2) return rows;
  try {
    return sort();
  } catch {
    return [];
  }
}

/** Release 1.20's client looks for the field in the tables themselves, when there are several. @throws CtlError then */
function refuseSeveral({ ctl, call }: TableRun, tables: readonly GroupTable[]): void {
  const { sortBy, serverPrint } = call.options;
  const count = tables.reduce((sum, { answered }) => sum + answered.length, 0);
  if (!sortBy || !serverPrint || ctl.dialect.name === 'orch' || count < 2) return;
  throw new CtlError(
    `couldn't find any field with path "{${sortBy.replace(/^\{|\}$/g, '')}}" in the list of objects`,
  );
}

async function reportNothing({ ctl, call, targets }: TableRun): Promise<void> {
  const isNamespaced = targets.every(({ resource }) => resource.isNamespaced);
  const where =
    isNamespaced && !call.options.allNamespaces ? ` in ${(await ctl.context()).namespace} namespace.` : '';
  ctl.io.stderr.write(`No resources found${where}\n`);
}
