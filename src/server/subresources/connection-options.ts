import { badRequest } from '../../machinery/errors/index.ts';
import { isTrue } from '../request/request-info.ts';

/** What the agent calls the streams that clients ask for. */
const streams = [
  ['stdin', 'input'],
  ['stdout', 'output'],
  ['stderr', 'error'],
  ['tty', 'tty'],
] as const;

/** The query for an agent's `exec` and `attach`, with the question mark. The agent checks the combination. */
export function streamQuery(
  query: URLSearchParams,
  { hasCommand }: { readonly hasCommand: boolean },
): string {
  const forAgent = new URLSearchParams();
  for (const [name, agentName] of streams) if (isTrue(query.get(name))) forAgent.set(agentName, '1');
  if (hasCommand) for (const word of query.getAll('command')) forAgent.append('command', word);
  return written(forAgent);
}

/** Ports of a query. @throws StatusError 400 for what is no port. */
export const portsOf = (query: URLSearchParams): number[] =>
  query
    .getAll('ports')
    .flatMap((text) => text.split(','))
    .map(readPort);

/** The query for an agent's `portForward`. @throws StatusError 400 for what is no port. */
export function portQuery(query: URLSearchParams): string {
  const ports = portsOf(query);
  return ports.length === 0 ? '' : written(new URLSearchParams({ port: ports.join(',') }));
}

function readPort(text: string): number {
  const problem = !/^\d+$/.test(text)
    ? 'invalid syntax'
    : Number(text) > 65_535
      ? 'value out of range'
      : undefined;
  if (problem === undefined) return Number(text);
  throw badRequest(
    `cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`,
  );
}

function written(query: URLSearchParams): string {
  query.sort();
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
