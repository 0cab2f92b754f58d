import type { Logger } from '../../base/index.ts';

/** A logger that calls back for each error that is logged through it or its children. */
export function countErrors(logger: Logger, onError: () => void): Logger {
  return {
    error(message, fields) {
      onError();
      logger.error(message, fields);
    },
    info: (message, fields) => logger.info(message, fields),
    debug: (message, fields) => logger.debug(message, fields),
    child: (fields) => countErrors(logger.child(fields), onError),
  };
}
