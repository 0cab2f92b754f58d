import { tokenProgram, userProgram } from '../config/access/index.ts';
import { completionShells, type ProgramSpec } from '../config/index.ts';
import { backupProgram, restoreProgram, storageProgram } from '../config/maintenance/index.ts';
import { serveProgram } from '../config/serve/index.ts';
import { pluginsProgram } from './oclif/plugins-program.ts';
import { testAssetsProgram } from './test-assets/programs.ts';
import { downProgram, upProgram } from './up/programs.ts';

/** `orch version` for help and man page. */
export const versionProgram: ProgramSpec = {
  name: 'orch version',
  summary: 'Print the version of orch, of the API that it serves and of its runtime',
  options: [
    {
      name: 'output',
      short: 'o',
      type: 'string',
      default: 'text',
      allowed: ['text', 'json'],
      section: 'General',
      help: 'Form of the answer.',
    },
    { name: 'help', short: 'h', type: 'bool', section: 'General', help: 'Show this help.' },
  ],
};

/** `orch completion` for help and man page. */
export const completionProgram: ProgramSpec = {
  name: 'orch completion',
  summary: 'Print shell completion for orch, ctl and nodeagent',
  usage: completionShells.join('|'),
  options: [{ name: 'help', short: 'h', type: 'bool', section: 'General', help: 'Show this help.' }],
  examples: [{ command: 'source <(orch completion bash)', does: 'complete commands in this shell' }],
};

/** `orch` for help, man page and completion; `orch ctl` and `orch nodeagent` are described by their own programs. */
export const orchProgram: ProgramSpec = {
  name: 'orch',
  summary: 'A small, complete control plane for declarative resources',
  usage: 'COMMAND [flags]',
  description: [
    'orch serves an API for declarative resources: objects with a desired and an actual state, watched by controllers, node agents and people. One command starts it on SQLite.',
  ],
  options: [
    { name: 'version', type: 'bool', section: 'General', help: 'Print the version.' },
    { name: 'help', short: 'h', type: 'bool', section: 'General', help: 'Show this help.' },
  ],
  commands: [
    serveProgram,
    upProgram,
    downProgram,
    backupProgram,
    restoreProgram,
    storageProgram,
    userProgram,
    tokenProgram,
    pluginsProgram,
    testAssetsProgram,
    {
      name: 'orch ctl',
      summary: 'The client, as ctl',
      usage: 'COMMAND [flags]',
      options: [],
      seeAlso: ['ctl(1)'],
    },
    {
      name: 'orch nodeagent',
      summary: 'The node agent, as nodeagent',
      options: [],
      seeAlso: ['nodeagent(8)'],
    },
    versionProgram,
    completionProgram,
  ],
  examples: [
    { command: 'orch serve', does: 'serve on this machine, with data kept between runs' },
    { command: 'ctl get namespaces', does: 'ask it something, in another terminal' },
  ],
  files: serveProgram.files ?? [],
  seeAlso: ['ctl(1)', 'nodeagent(8)'],
};
