import type { Database } from 'better-sqlite3';
import { withDatabase } from './file-database.ts';
import { readIdentity } from './identity.ts';
import type { VacuumResult } from './messages.ts';

/** Rewrites a file that no server holds without its free pages. */
export function vacuumFile(path: string): Promise<VacuumResult> {
  return withDatabase(path, (database) => {
    readIdentity(database, path);
    return vacuum(database);
  });
}

/** Rewrites an opened database without its free pages, and lets it give up later ones in small steps. */
export function vacuum(database: Database): VacuumResult {
  const size = database
    .prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
    .pluck();
  const beforeBytes = Number(size.get());
  // A copy of all that is kept is made on the way, and that may be larger than memory.
  database.pragma('temp_store = FILE');
  try {
    database.pragma('auto_vacuum = INCREMENTAL');
    database.exec('VACUUM');
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.pragma('temp_store = MEMORY');
  }
  return { beforeBytes, afterBytes: Number(size.get()) };
}
