import type { Handler } from '../request/exchange.ts';
import { respondPlain } from '../request/respond.ts';
import type { FlowRequest } from './fairness.ts';
import type { FlowControl } from './flow-control.ts';
import type { PriorityLevel } from './priority-level.ts';
import type { Ticket } from './queue-set.ts';

const none = '<none>';
const root = '/debug/api_priority_and_fairness';

type Row = readonly string[];

/** Pages that show levels, queues and waiting requests as tables of text, as release 1.20 does, by path. */
export function createFlowDumps(control: FlowControl): ReadonlyMap<string, Handler> {
  const page =
    (rows: (details: boolean) => readonly Row[]): Handler =>
    async (exchange) => {
      const wantsDetails = (exchange.query.get('includeRequestDetails') ?? '') !== '';
      respondPlain(exchange, formatTable(rows(wantsDetails)));
    };
  const levels = (): PriorityLevel[] => [...control.levels.values()];
  return new Map([
    [`${root}/dump_priority_levels`, page(() => [levelHead, ...levels().map(levelRow)])],
    [`${root}/dump_queues`, page(() => [queueHead, ...levels().flatMap(queueRows)])],
    [
      `${root}/dump_requests`,
      page((details) => [
        details ? [...requestHead, ...detailHead] : requestHead,
        ...levels().flatMap((level) => requestRows(level, details)),
      ]),
    ],
  ]);
}

const levelHead: Row = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
];

function levelRow({ name, queues }: PriorityLevel): Row {
  if (queues === undefined) return [name, none, none, none, none, none];
  const active = queues.queues.filter(({ waiting, seated }) => waiting.length + seated > 0).length;
  const isIdle = queues.waitingCount + queues.seatedCount === 0;
  return [name, `${active}`, `${isIdle}`, 'false', `${queues.waitingCount}`, `${queues.seatedCount}`];
}

const queueHead: Row = ['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'VirtualStart'];

function queueRows({ name, queues }: PriorityLevel): Row[] {
  if (queues === undefined) return [[name, none, none, none, none]];
  return queues.queues.map(({ index, waiting, seated, virtualStart }) => [
    name,
    `${index}`,
    `${waiting.length}`,
    `${seated}`,
    (virtualStart / 1000).toFixed(4),
  ]);
}

const requestHead: Row = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
];
const detailHead: Row = [
  'UserName',
  'Verb',
  'APIPath',
  'Namespace',
  'Name',
  'APIVersion',
  'Resource',
  'SubResource',
];

function requestRows({ name, queues }: PriorityLevel, details: boolean): Row[] {
  const width = details ? requestHead.length + detailHead.length : requestHead.length;
  if (queues === undefined) return [[name, ...Array.from({ length: width - 1 }, () => none)]];
  return queues.queues.flatMap(({ index, waiting }) =>
    waiting.flatMap((ticket, place) =>
      isFlowRequest(ticket) ? [requestRow(ticket, index, place, details)] : [],
    ),
  );
}

function requestRow(request: FlowRequest, queue: number, place: number, details: boolean): Row {
  const { lane, distinguisher, exchange, arrivedAtMs } = request;
  const { schema, level } = lane;
  const arrived = new Date(arrivedAtMs).toISOString();
  const row = [level.name, schema, `${queue}`, `${place}`, distinguisher, arrived];
  if (!details) return row;
  const { user, info } = exchange;
  const apiVersion = info.group === '' ? info.version : `${info.group}/${info.version}`;
  const { verb, path, namespace, name, resource, subresource } = info;
  return [...row, user.name, verb, path, namespace, name, apiVersion, resource, subresource];
}

const isFlowRequest = (ticket: Readonly<Ticket>): ticket is FlowRequest => 'lane' in ticket;

const leastWidth = 8;

/** Columns that are as wide as their widest cell, with commas between them; the last one has no width. */
function formatTable(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(leastWidth, ...rows.map((row) => `${row[column] ?? ''}, `.length)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : `${cell}, `.padEnd(widths[column] ?? 0)))
      .join(''),
  );
  return lines.map((line) => `${line}\n`).join('');
}
