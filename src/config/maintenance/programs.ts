import type { ProgramSpec } from '../options.ts';
import {
  accessOptions,
  dataDirectoryOption,
  dialectOption,
  etcdOptions,
  outputOptions,
  storageOption,
} from './options.ts';

const asksServer =
  'A running server is asked over its API, with the client configuration that ctl uses. With --data-dir or --storage, or when no server answers and none holds the default database, the store is opened directly.';

/** Options of `orch backup`. */
export const backupOptions = [
  {
    name: 'force',
    type: 'bool',
    section: 'Output',
    help: 'Replace FILE when it exists.',
  },
  ...accessOptions,
  ...outputOptions,
] as const;

/** `orch backup` for help, man page and completion. */
export const backupProgram: ProgramSpec = {
  name: 'orch backup',
  summary: 'Write a backup of all objects to a file',
  usage: 'FILE [flags]',
  description: [
    'Makes one SQLite database of all objects as they are at one moment, while the server goes on serving. Every write that was acknowledged before the backup began is in it. The file is checked before it gets its name, and only its owner can read it: it holds secrets. Keys and certificates (pki/ in the data directory) are not in it; copy them yourself.',
    asksServer,
  ],
  options: backupOptions,
  examples: [
    { command: 'orch backup orch-backup.db', does: 'back up the server that ctl uses' },
    { command: 'orch backup --data-dir=/var/lib/orch today.db', does: 'back up a server that is stopped' },
  ],
  seeAlso: ['orch(1)'],
};

/** Options of `orch restore`. */
export const restoreOptions = [
  {
    ...dataDirectoryOption,
    section: 'Storage',
    help: 'Data directory to restore into. By default that of orch serve.',
  },
  {
    ...storageOption,
    section: 'Storage',
    help: 'Database to restore into, sqlite:PATH, when it is not that of the data directory.',
  },
  {
    name: 'dialect',
    type: 'string',
    allowed: ['orch', 'kubernetes'],
    section: 'Storage',
    help: 'Refuse a backup that was made with another dialect.',
  },
  {
    name: 'force',
    type: 'bool',
    section: 'Storage',
    help: 'Replace a database that exists. It is kept beside the new one as .before-restore-N.',
  },
  ...outputOptions,
] as const;

/** `orch restore` for help, man page and completion. */
export const restoreProgram: ProgramSpec = {
  name: 'orch restore',
  summary: 'Make the database of a server that is stopped from a backup',
  usage: 'FILE [flags]',
  description: [
    'Checks the backup and puts a copy of it where the server looks for its database, whole or not at all. Resource versions go on far beyond those of the backup, so that clients which saw later ones are told to list anew. Only the database is restored: keys and certificates in the data directory are left alone.',
    'To restore into etcd, use orch storage migrate --from=sqlite:FILE --to=etcd:URLS.',
  ],
  options: restoreOptions,
  examples: [
    { command: 'orch restore orch-backup.db', does: 'restore into an empty data directory' },
    { command: 'orch restore --force orch-backup.db', does: 'go back to a backup' },
  ],
};

/** Options of `orch storage stats` and `orch storage compact`. */
export const storeOptions = [...accessOptions, ...outputOptions] as const;

/** `orch storage stats` for help, man page and completion. */
export const statsProgram: ProgramSpec = {
  name: 'orch storage stats',
  summary: 'Show the size and the revisions of the store',
  usage: '[flags]',
  description: [asksServer],
  options: storeOptions,
};

/** Options of `orch storage check`. */
export const checkOptions = [
  {
    name: 'quick',
    type: 'bool',
    section: 'Storage',
    help: 'Ask a running server to read its objects only, not the structure of its database, for which it needs free disk of the size of the store.',
  },
  ...storeOptions,
] as const;

/** `orch storage check` for help, man page and completion. */
export const checkProgram: ProgramSpec = {
  name: 'orch storage check',
  summary: 'Read the whole store and say whether it is sound',
  usage: '[flags]',
  description: [asksServer, 'The exit code is 1 when something is wrong.'],
  options: checkOptions,
};

/** `orch storage compact` for help, man page and completion. */
export const compactProgram: ProgramSpec = {
  name: 'orch storage compact',
  summary: 'Forget the history of changes and give free room back',
  usage: '[flags]',
  description: [
    asksServer,
    'Servers compact by themselves; this is for a disk that runs full. Requests wait while a database is rewritten, a second for some 100 MB, and watches of older resource versions start anew.',
  ],
  options: storeOptions,
};

const migrateSection = 'Migration';

/** Options of `orch storage migrate`. */
export const migrateOptions = [
  {
    name: 'from',
    type: 'string',
    valueName: 'URL',
    section: migrateSection,
    help: 'Store to copy: sqlite:PATH or etcd:URL,URL.',
  },
  {
    name: 'to',
    type: 'string',
    valueName: 'URL',
    section: migrateSection,
    help: 'Empty store to copy into: sqlite:PATH or etcd:URL,URL.',
  },
  {
    name: 'with-events',
    type: 'bool',
    section: migrateSection,
    help: 'Copy events too. Each then lives for --event-ttl from the copy on.',
  },
  {
    name: 'event-ttl',
    type: 'duration',
    default: '1h0m0s',
    min: 0,
    section: migrateSection,
    help: 'How long events that are copied live; 0 keeps them. As the servers of the target say.',
  },
  dialectOption,
  ...etcdOptions,
  ...outputOptions,
] as const;

/** `orch storage migrate` for help, man page and completion. */
export const migrateProgram: ProgramSpec = {
  name: 'orch storage migrate',
  summary: 'Copy all objects from one store into another, empty one',
  usage: '--from=URL --to=URL [flags]',
  description: [
    'Stop all servers of both stores first. Objects are copied and then compared; the source is not changed. Resource versions of the copy are later than all of the source, there and back. Events, which live for an hour only, are left out unless --with-events is given; signs of life of servers always are.',
    'A copy that was interrupted leaves objects in the target. The next attempt says so: remove them first.',
  ],
  options: migrateOptions,
  examples: [
    {
      command:
        'orch storage migrate --from=sqlite:/var/lib/orch/orch.db --to=etcd:https://10.0.0.1:2379,https://10.0.0.2:2379',
      does: 'move from one machine to an etcd cluster',
    },
  ],
};

/** `orch storage` for help, man page and completion. */
export const storageProgram: ProgramSpec = {
  name: 'orch storage',
  summary: 'Look after the store: stats, check, compact, migrate',
  usage: 'COMMAND [flags]',
  options: [{ name: 'help', short: 'h', type: 'bool', section: 'Output', help: 'Show this help.' }],
  commands: [statsProgram, checkProgram, compactProgram, migrateProgram],
};
