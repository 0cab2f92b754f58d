/** Fields that travel beside a log message. Never secrets: callers log names and sizes, not contents. */
export type LogFields = Readonly<Record<string, unknown>>;

/** What the program needs of a logger: a constant message and its fields. */
export interface Logger {
  /** Things an operator acts on. */
  error(message: string, fields?: LogFields): void;
  /** Life-cycle facts and handled surprises. */
  info(message: string, fields?: LogFields): void;
  /** Details, written only when `-v` is at least 3. */
  debug(message: string, fields?: LogFields): void;
  /** The same logger with `fields` on every line. */
  child(fields: LogFields): Logger;
}

/** A logger that writes nothing, for tests and embedded servers. */
export const silentLogger: Logger = {
  error() {},
  info() {},
  debug() {},
  child: () => silentLogger,
};
