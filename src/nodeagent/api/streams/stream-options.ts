/** The requested streams, and whether the command gets a terminal. */
export interface StreamOptions {
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** Undefined when no stream is requested. A terminal has no separate standard error. */
export function parseStreamOptions(query: URLSearchParams): StreamOptions | undefined {
  const isOn = (name: string): boolean => query.get(name) === '1';
  const tty = isOn('tty');
  const options = { tty, stdin: isOn('input'), stdout: isOn('output'), stderr: isOn('error') && !tty };
  return options.stdin || options.stdout || options.stderr ? options : undefined;
}

/**
 * Ports that a websocket forwards, as its query names them; other clients name theirs later.
 *
 * @throws RangeError for what is no port
 */
export function parsePorts(query: URLSearchParams): readonly number[] {
  const texts = query.getAll('port');
  if (texts.length === 0) throw new RangeError('query parameter "port" is required');
  return texts.flatMap((text) => text.split(',')).map(parsePort);
}

function parsePort(text: string): number {
  if (text === '') throw new RangeError('query parameter "port" cannot be empty');
  const port = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new RangeError(`unable to parse "${text}" as a port`);
  if (port < 1) throw new RangeError(`port "${text}" must be > 0`);
  return port;
}
