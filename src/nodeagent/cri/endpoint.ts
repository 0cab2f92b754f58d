/** Longest path of a unix socket, in bytes (`sun_path` of Linux without its end mark). */
const maxSocketPathBytes = 107;

/**
 * Address of a runtime as the gRPC library writes it. Takes `unix:///PATH`, a bare absolute path for the same, and
 * `tcp://HOST:PORT`.
 *
 * @throws RangeError for everything else; its message names the endpoint and says what was expected.
 */
export function parseEndpoint(endpoint: string): string {
  if (endpoint.startsWith('/')) return parseSocketPath(endpoint, endpoint);
  const match = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(endpoint);
  const [, scheme = '', rest = ''] = match ?? [];
  switch (scheme.toLowerCase()) {
    case 'unix':
      return parseSocketPath(endpoint, rest);
    case 'tcp':
      return parseHostAndPort(endpoint, rest);
    case '':
      throw invalidEndpoint(endpoint);
    default:
      throw new RangeError(
        `runtime endpoint "${endpoint}": protocol "${scheme}" not supported, expected unix or tcp`,
      );
  }
}

function parseSocketPath(endpoint: string, path: string): string {
  if (!path.startsWith('/') || path.endsWith('/') || path.includes('\0')) throw invalidEndpoint(endpoint);
  if (Buffer.byteLength(path) > maxSocketPathBytes) {
    throw new RangeError(
      `runtime endpoint "${endpoint}": path of ${Buffer.byteLength(path)} bytes, expected at most ${maxSocketPathBytes}`,
    );
  }
  return `unix:${path}`;
}

function parseHostAndPort(endpoint: string, address: string): string {
  const url = URL.canParse(`tcp://${address}`) ? new URL(`tcp://${address}`) : undefined;
  const isPlain = url !== undefined && ['', '/'].includes(url.pathname) && url.search + url.hash === '';
  if (!isPlain || url.username !== '' || url.hostname === '' || ['', '0'].includes(url.port)) {
    throw invalidEndpoint(endpoint);
  }
  return `dns:${url.host}`;
}

function invalidEndpoint(endpoint: string): RangeError {
  return new RangeError(`runtime endpoint "${endpoint}": expected unix:///PATH or tcp://HOST:PORT`);
}
