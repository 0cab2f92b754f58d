import type { OptionSpec } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';

/** Flags of commands that join streams. */
export const streamOptions = [
  {
    name: 'container',
    short: 'c',
    type: 'string',
    section: 'Selection',
    help: 'Container that is meant; by default the first one of the pod.',
  },
  { name: 'stdin', short: 'i', type: 'bool', section: 'Streams', help: 'Pass the standard input on.' },
  {
    name: 'tty',
    short: 't',
    type: 'bool',
    section: 'Streams',
    help: 'The standard input is a terminal, and so it shall be in the container.',
  },
] as const satisfies readonly OptionSpec[];

/**
 * Whether the terminal is to be joined: it is asked for, and there is one. Says so when there is none.
 */
export function usesTerminal(
  { io }: Ctl,
  wanted: { readonly hasStdin: boolean; readonly isTty: boolean },
): boolean {
  if (!wanted.hasStdin || !wanted.isTty) return false;
  if (io.input.isTerminal) return true;
  io.stderr.write('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  return false;
}
