import type { Dialect } from '../../machinery/dialect.ts';

/** Why an assigned configuration is not in force: the words of `node.status.config.error` in release 1.20. */
const sentences = {
  load: 'failed to load config, see NodeAgent log for details',
  validate: 'failed to validate config, see NodeAgent log for details',
  empty: 'invalid NodeConfigSource, exactly one subfield must be non-nil, but all were nil',
  download: 'failed to download config, see NodeAgent log for details',
  internal: 'internal failure, see NodeAgent log for details',
} as const;

/** The step at which a configuration failed. */
export type ConfigFailure = keyof typeof sentences;

/** What the status says of a configuration that could not be started with. */
export const startError = (failure: ConfigFailure, dialect: Dialect): string =>
  dialect.spell(sentences[failure]);

/** What the status says of a configuration that could not be fetched and kept. */
export const syncError = (failure: ConfigFailure, dialect: Dialect): string =>
  `failed to sync: ${startError(failure, dialect)}`;
