import type { ConfigOf, OptionSpec } from '../../config/index.ts';
import {
  filenameOption,
  missingKeysOption,
  outputOption,
  recursiveOption,
  templateOption,
} from '../options/shared.ts';

const section = 'Conversion';

/** Options of `ctl convert`. */
export const convertOptions = [
  filenameOption,
  recursiveOption,
  {
    name: 'output-version',
    type: 'string',
    valueName: 'GROUP/VERSION',
    section,
    help: 'Version to convert to, such as apps/v1; kinds that it lacks go to what replaces theirs. By default the preferred version of each kind.',
  },
  {
    name: 'strict',
    type: 'bool',
    section,
    help: 'Fail when anything is lost, made explicit, or needs attention.',
  },
  {
    name: 'validate',
    type: 'bool',
    section,
    help: 'Fail when an object has unknown fields, or when a server would refuse what it is converted to.',
  },
  {
    name: 'local',
    type: 'bool',
    default: true,
    section,
    help: 'Work without a server. With --local=false the server must have what objects are converted to.',
  },
  outputOption,
  templateOption,
  missingKeysOption,
] as const satisfies readonly OptionSpec[];

/** A parsed command line of `ctl convert`. */
export type ConvertOptions = ConfigOf<typeof convertOptions>;
