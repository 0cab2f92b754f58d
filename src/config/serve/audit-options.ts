import type { OptionSpec } from '../options.ts';

/** What is recorded of requests, and where. */
export const auditOptions = [
  {
    name: 'audit-log-path',
    type: 'string',
    section: 'Auditing',
    valueName: 'FILE',
    help: 'Record requests in this file, one JSON event a line; - stands for standard output. Events are written shortly after requests and never hold them up.',
  },
  {
    name: 'audit-policy-file',
    type: 'string',
    section: 'Auditing',
    valueName: 'FILE',
    help: 'Policy (audit.orch.io/v1, YAML) that says which requests are recorded and how much of them. Without one, all are, at level Metadata.',
  },
] as const satisfies readonly OptionSpec[];
