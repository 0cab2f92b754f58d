/**
 * The options of the commands that look after stored data: `orch backup`, `orch restore`, `orch storage`. What they do is
 * in `app`.
 */
export { type accessOptions, etcdOptions } from './options.ts';
export {
  backupOptions,
  backupProgram,
  checkOptions,
  checkProgram,
  compactProgram,
  migrateOptions,
  migrateProgram,
  restoreOptions,
  restoreProgram,
  statsProgram,
  storageProgram,
  storeOptions,
} from './programs.ts';
