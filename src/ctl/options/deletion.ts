import type { OptionSpec } from '../../config/index.ts';
import type { DeleteOptions } from '../changes/delete-target.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';

/** `--cascade`. */
export const cascadeOption = {
  name: 'cascade',
  type: 'string',
  default: 'background',
  impliedValue: 'background',
  section: 'Changes',
  help: 'What becomes of dependents: background deletes them afterwards, foreground before, orphan keeps them.',
} as const satisfies OptionSpec;

/** `--grace-period`. */
export const gracePeriodOption = {
  name: 'grace-period',
  key: 'gracePeriodSeconds',
  type: 'int',
  default: -1,
  section: 'Changes',
  help: 'Seconds that objects get to end; negative: as long as they ask for. 0 only with --force.',
} as const satisfies OptionSpec;

const policies = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** Reads `--cascade`, its old boolean values included, which warn. @throws CtlError */
export function readCascade(ctl: Ctl, text: string): DeleteOptions['propagationPolicy'] {
  if (text === 'true' || text === 'false') {
    const name = text === 'true' ? 'background' : 'orphan';
    ctl.io.stderr.write(
      `warning: --cascade=${text} is deprecated (boolean value) and can be replaced with --cascade=${name}.\n`,
    );
    return policies[name];
  }
  if (text === 'background' || text === 'foreground' || text === 'orphan') return policies[text];
  throw new CtlError(`invalid cascade value (${text}). Must be "background", "foreground", or "orphan"`);
}
