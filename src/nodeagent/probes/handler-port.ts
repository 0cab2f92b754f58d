import type { Container } from '../../apis/types/core-v1.ts';
import { quoteGo } from '../../machinery/errors/index.ts';

/**
 * The port that a probe names, by number or by the name of one of the container's ports.
 *
 * @throws RangeError in release 1.20's words when there is none.
 */
export function findProbePort(port: number | string, { ports }: Container): number {
  const number = typeof port === 'number' ? port : (namedPort(port, ports) ?? parsePort(port));
  if (number > 0 && number < 65_536) return number;
  throw new RangeError(`invalid port number: ${number}`);
}

/**
 * The port that a hook names; 80 when it names none.
 *
 * @throws RangeError when there is none of that name.
 */
export function findHookPort(port: number | string, { name, ports }: Container): number {
  if (typeof port === 'number') return port;
  if (port === '') return 80;
  if (isNumber(port)) return Number(port);
  const number = namedPort(port, ports);
  if (number === undefined) throw new RangeError(`couldn't find port: ${port} in ${name}`);
  return number;
}

const isNumber = (text: string): boolean => /^[+-]?\d{1,15}$/.test(text);

function namedPort(name: string, ports: Container['ports']): number | undefined {
  return ports?.find((port) => port.name === name)?.containerPort;
}

function parsePort(text: string): number {
  if (isNumber(text)) return Number(text);
  throw new RangeError(`strconv.Atoi: parsing ${quoteGo(text)}: invalid syntax`);
}
