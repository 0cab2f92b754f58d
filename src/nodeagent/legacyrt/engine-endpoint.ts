/** Where the engine listens, in the terms of `node:http`. */
export type EngineAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number };

/** Longest path of a unix socket, in bytes (`sun_path` of Linux without its end mark). */
const maxSocketPathBytes = 107;

/**
 * Reads `unix:///PATH` or `tcp://HOST:PORT`.
 *
 * @throws RangeError for everything else
 */
export function parseEngineEndpoint(endpoint: string): EngineAddress {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/s.exec(endpoint) ?? [];
  if (scheme === 'unix' && rest.startsWith('/') && !rest.endsWith('/') && !rest.includes('\0')) {
    const bytes = Buffer.byteLength(rest);
    if (bytes <= maxSocketPathBytes) return { socketPath: rest };
    throw new RangeError(
      `engine endpoint "${endpoint}": path of ${bytes} bytes, expected at most ${maxSocketPathBytes}`,
    );
  }
  if (scheme === 'tcp' && URL.canParse(`http://${rest}`)) {
    const { hostname, port, pathname } = new URL(`http://${rest}`);
    const isPlain = hostname !== '' && pathname === '/' && !rest.endsWith('/');
    if (isPlain && Number(port) > 0) return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
  }
  throw new RangeError(`engine endpoint "${endpoint}": expected unix:///PATH or tcp://HOST:PORT`);
}
