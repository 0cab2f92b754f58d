import type { OptionSpec } from '../../config/index.ts';

const section = 'Output';

/** Where lines of `-v` go, and how they look. Source: release 1.20's client, whose flags these are. */
export const loggingOptions = [
  {
    name: 'logtostderr',
    type: 'bool',
    default: true,
    section,
    help: 'Write the lines of -v to stderr instead of to files.',
  },
  { name: 'alsologtostderr', type: 'bool', section, help: 'Write them to stderr as well as to files.' },
  {
    name: 'stderrthreshold',
    type: 'int',
    default: 2,
    min: 0,
    section,
    help: 'With --logtostderr=false: write lines of this severity and above to stderr too; those of -v have 0.',
  },
  {
    name: 'log-file',
    type: 'string',
    valueName: 'FILE',
    section,
    help: 'File for the lines, with --logtostderr=false.',
  },
  {
    name: 'log-dir',
    type: 'string',
    valueName: 'DIR',
    section,
    help: 'Folder for a file of each run, with --logtostderr=false; by default that of temporary files.',
  },
  {
    name: 'log-file-max-size',
    key: 'logFileMaxMegabytes',
    type: 'int',
    default: 1800,
    min: 0,
    section,
    help: 'Megabytes at which the file of --log-file is begun anew; 0 for never.',
  },
  {
    name: 'log-flush-frequency',
    type: 'duration',
    default: '5s',
    section,
    help: 'Accepted for the sake of scripts: lines are written at once.',
  },
  { name: 'skip-headers', type: 'bool', section, help: 'Leave out time and process before each line.' },
  {
    name: 'add-dir-header',
    type: 'bool',
    section,
    help: 'Accepted for the sake of scripts: lines name no source file.',
  },
  {
    name: 'skip-log-headers',
    type: 'bool',
    section,
    help: 'Accepted for the sake of scripts: files begin with the first line.',
  },
  {
    name: 'one-output',
    type: 'bool',
    section,
    help: 'Accepted for the sake of scripts: there is one severity.',
  },
  {
    name: 'vmodule',
    type: 'string',
    valueName: 'PATTERN=LEVEL,...',
    section,
    help: 'Levels of -v by part of the program: round_trippers is the one that has lines.',
  },
  {
    name: 'log-backtrace-at',
    type: 'string',
    default: ':0',
    valueName: 'FILE:LINE',
    section,
    help: 'Has no effect, and says so: lines name no source file.',
  },
] as const satisfies readonly OptionSpec[];
