import type { OptionSpec, ProgramSpec } from '../../config/index.ts';

const help = {
  name: 'help',
  short: 'h',
  type: 'bool',
  section: 'Output',
  help: 'Show this help.',
} as const satisfies OptionSpec;

/** Options of `orch test-assets`. */
export const testAssetsOptions = [help] as const;

/** `orch test-assets server` for help and man page: it takes the flags of the reference. */
const testServerProgram: ProgramSpec = {
  name: 'orch test-assets server',
  summary: 'Run the API server of a folder of test assets',
  usage: '[flags of the reference]',
  description: [
    'What the launcher of the API server runs: a server that begins empty and keeps nothing. It takes every flag of the reference; those that do nothing here are ignored, and named with -v 2.',
  ],
  options: [help],
};

/** Options of `orch test-assets store`: those of etcd that the helper of controller tests gives. */
export const testStoreOptions = [
  {
    name: 'listen-client-urls',
    type: 'strings',
    default: ['http://localhost:2379'],
    section: 'Serving',
    help: 'Where questions for health are answered; http only.',
  },
  { name: 'advertise-client-urls', type: 'strings', section: 'Ignored', help: 'Nobody is told.' },
  { name: 'listen-peer-urls', type: 'strings', section: 'Ignored', help: 'There are no peers.' },
  { name: 'data-dir', type: 'string', valueName: 'DIR', section: 'Ignored', help: 'Nothing is kept.' },
  { name: 'unsafe-no-fsync', type: 'bool', section: 'Ignored', help: 'Nothing is kept.' },
  help,
] as const satisfies readonly OptionSpec[];

/** `orch test-assets store` for help and man page. */
export const testStoreProgram: ProgramSpec = {
  name: 'orch test-assets store',
  summary: 'Answer questions for the health of the store of a folder of test assets',
  usage: '[flags]',
  description: [
    'What the launcher of etcd runs: it answers /health, since the server of the same folder needs no store.',
  ],
  options: testStoreOptions,
};

/** `orch test-assets` for help, man page and completion. */
export const testAssetsProgram: ProgramSpec = {
  name: 'orch test-assets',
  summary: 'Write a folder of programs with which tests of controllers start an API server',
  usage: 'DIR',
  description: [
    'Helpers that test controllers, such as envtest, start an API server and its store from a folder that an environment variable names. This command makes such a folder with the server, a store that is none, and the client. They run this installation of orch: each server is ready in less than a second, begins empty, and leaves nothing behind.',
  ],
  options: testAssetsOptions,
  commands: [testServerProgram, testStoreProgram],
  examples: [{ command: 'orch test-assets ./assets', does: 'write the folder' }],
  seeAlso: ['orch(1)'],
};
