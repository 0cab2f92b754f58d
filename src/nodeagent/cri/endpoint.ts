/** Longest path of a unix socket, in bytes (`sun_path` of Linux without its end mark). */
const maxSocketPathBytes = 107;

/**
 * Address of a runtime as the gRPC library writes it. Takes `unix:///PATH`, or a bare absolute path for the same.
 *
 * @throws RangeError for everything else; its message names the endpoint and says what was expected.
 */
export function parseEndpoint(endpoint: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(?:\/\/)?(.*)$/is.exec(endpoint) ?? [];
  if (scheme.toLowerCase() === 'unix') return parseSocketPath(endpoint, rest);
  if (scheme === '') return parseSocketPath(endpoint, endpoint);
  throw new RangeError(`runtime endpoint "${endpoint}": protocol "${scheme}" not supported, expected unix`);
}

function parseSocketPath(endpoint: string, path: string): string {
  if (!path.startsWith('/') || path.endsWith('/') || path.includes('\0')) {
    throw new RangeError(`runtime endpoint "${endpoint}": expected unix:///PATH`);
  }
  if (Buffer.byteLength(path) > maxSocketPathBytes) {
    throw new RangeError(
      `runtime endpoint "${endpoint}": path of ${Buffer.byteLength(path)} bytes, expected at most ${maxSocketPathBytes}`,
    );
  }
  return `unix:${path}`;
}
