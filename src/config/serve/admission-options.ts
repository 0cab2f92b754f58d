import type { OptionSpec } from '../options.ts';

const section = 'Admission';

/** What happens to requests that change something. */
export const admissionOptions = [
  {
    name: 'enable-admission-plugins',
    type: 'strings',
    section,
    help: 'Admission plugins to run beside those that are on by default.',
  },
  {
    name: 'disable-admission-plugins',
    type: 'strings',
    section,
    help: 'Admission plugins not to run.',
  },
  {
    name: 'admission-control-config-file',
    type: 'string',
    section,
    valueName: 'FILE',
    help: 'Configuration of admission plugins, and credentials for webhooks.',
  },
  {
    name: 'default-not-ready-toleration-seconds',
    type: 'int',
    default: 300,
    section,
    help: 'Seconds that a pod stays on a node that is not ready, unless it says otherwise.',
  },
  {
    name: 'default-unreachable-toleration-seconds',
    type: 'int',
    default: 300,
    section,
    help: 'Seconds that a pod stays on a node that is unreachable, unless it says otherwise.',
  },
] as const satisfies readonly OptionSpec[];
