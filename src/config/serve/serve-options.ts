import type { ConfigOf, ProgramSpec } from '../options.ts';
import { admissionOptions, authorizationOptions } from './access-options.ts';
import { agentOptions } from './agent-options.ts';
import { apiOptions } from './api-options.ts';
import { auditOptions } from './audit-options.ts';
import { authenticationOptions } from './authentication-options.ts';
import { controllerOptions } from './controller-options.ts';
import { generalOptions } from './general-options.ts';
import { servingOptions } from './serving-options.ts';
import { storageOptions } from './storage-options.ts';

/** The options of `orch serve` that have an effect. */
export const serveOptions = [
  ...generalOptions,
  ...servingOptions,
  ...authenticationOptions,
  ...authorizationOptions,
  ...admissionOptions,
  ...auditOptions,
  ...apiOptions,
  ...storageOptions,
  ...agentOptions,
  ...controllerOptions,
] as const;

/** The configuration of `orch serve`: a value for each option, durations in milliseconds. */
export type ServeConfig = ConfigOf<typeof serveOptions>;

/** `orch serve` for help, man page and completion. */
export const serveProgram: ProgramSpec = {
  name: 'orch serve',
  summary: 'Run the API server',
  usage: '[flags]',
  description: [
    'Serves the API over HTTPS until it is told to stop. Without any flag it keeps its objects in SQLite in the data directory, makes the certificates and keys that it needs there, listens on 127.0.0.1:6443 and sets ctl up to reach it.',
    'SIGTERM and SIGINT stop it once running requests are done; a second signal stops it at once.',
  ],
  options: [
    ...serveOptions,
    { name: 'help', short: 'h', type: 'bool', section: 'General', help: 'Show this help.' },
  ],
  examples: [
    { command: 'orch serve', does: 'serve on this machine, with data kept between runs' },
    {
      command: 'orch serve --ephemeral --secure-port=0',
      does: 'a throw-away server on a free port, for a test',
    },
    {
      command: 'orch serve --bind-address=0.0.0.0 --external-hostname=api.example.org',
      does: 'serve other machines too',
    },
  ],
  files: [
    { path: '/var/lib/orch, ~/.local/share/orch', what: 'data directory: orch.db, pki/, admin.orchconfig' },
    { path: '~/.orch/config', what: 'client configuration that ctl reads' },
  ],
  seeAlso: ['ctl(1)', 'nodeagent(8)'],
};
