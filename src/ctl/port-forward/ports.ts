import { CtlError } from '../errors.ts';
import { goPortProblem } from '../options/go-port.ts';

/** A local port and what it leads to; a local port of 0 is any that is free. */
export interface PortPair {
  readonly local: number;
  readonly remote: number;
}

/**
 * Reads `LOCAL:REMOTE`, `:REMOTE` or `PORT`.
 *
 * @throws CtlError as the client of release 1.20 words it.
 */
export function parsePortPair(text: string): PortPair {
  const [first = '', second, ...rest] = text.split(':');
  if (rest.length > 0) throw new CtlError(`invalid port format '${text}'`);
  const localText = second === undefined ? first : first || '0';
  const local = parsePort('local', localText);
  const remote = parsePort('remote', second ?? first);
  if (remote === 0) throw new CtlError('remote port must be > 0');
  return { local, remote };
}

/** The two sides of an argument, whatever they are. */
export function splitPorts(text: string): readonly [local: string, remote: string] {
  const parts = text.split(':');
  const [local = '', remote = ''] = parts;
  return parts.length === 2 ? [local, remote] : [local, local];
}

/** A port number, or undefined for a name. */
export function portNumber(text: string): number | undefined {
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

function parsePort(side: string, text: string): number {
  const problem = goPortProblem(text);
  if (problem === undefined) return Number(text);
  throw new CtlError(`error parsing ${side} port '${text}': ${problem}`);
}
