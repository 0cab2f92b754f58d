import type { LogFields, Logger } from '../../../base/index.ts';
import { findSecret } from './find-secret.ts';

/** Release 1.20's words. */
const notice = 'Log message has been redacted.';

/**
 * A logger that lets no secret through: a line with one becomes a notice that says in which field it was found and of
 * what kind it is. Each value is searched whole, which takes time. Details are searched only where they are written.
 */
export function createSanitizedLogger(logger: Logger, hasDetails: () => boolean): Logger {
  return {
    error: (message, fields) => logger.error(...sanitize(message, fields)),
    info: (message, fields) => logger.info(...sanitize(message, fields)),
    debug(message, fields) {
      if (hasDetails()) logger.debug(...sanitize(message, fields));
    },
    child: (fields) => createSanitizedLogger(logger.child(sanitizeEach(fields)), hasDetails),
  };
}

function sanitize(message: string, fields: LogFields = {}): [message: string, fields: LogFields] {
  const found = findSecret(message, 'message') ?? findSecret(fields, '');
  return found === undefined ? [message, fields] : [notice, { key: found.key, types: found.types }];
}

/** Fields that are on every line are replaced one by one, so that the lines remain. */
function sanitizeEach(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      findSecret({ [name]: value }, '') === undefined ? value : notice,
    ]),
  );
}
