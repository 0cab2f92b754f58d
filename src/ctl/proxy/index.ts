/**
 * `ctl proxy`: a local HTTP server that passes requests on to the API server with the credentials of the client configuration,
 * until it is interrupted.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConfigOf, OptionSpec } from '../../config/index.ts';
import { CtlError, UsageError } from '../errors.ts';
import { watchInterrupt } from '../interrupt.ts';
import { describeListenError } from '../listen-error.ts';
import { defineVerb } from '../verb.ts';
import { createFilter, type RequestFilter } from './filter.ts';
import { Forwarder } from './forward.ts';
import { readRequestPath, sendElsewhere, straightPath } from './request-path.ts';
import { sendNotFound, sendStaticFile, sendText } from './static-files.ts';

const section = 'Proxy';

const proxyOptions = [
  {
    name: 'port',
    short: 'p',
    type: 'int',
    default: 8001,
    min: 0,
    max: 65535,
    section,
    help: 'Port to listen on; 0 for any that is free.',
  },
  { name: 'address', type: 'string', default: '127.0.0.1', section, help: 'Address to listen on.' },
  {
    name: 'unix-socket',
    short: 'u',
    type: 'string',
    valueName: 'FILE',
    section,
    help: 'Listen on a socket of the file system instead.',
  },
  { name: 'api-prefix', type: 'string', default: '/', section, help: 'Path below which the API is served.' },
  {
    name: 'www',
    short: 'w',
    type: 'string',
    valueName: 'FOLDER',
    section,
    help: 'Serve the files of a folder too.',
  },
  {
    name: 'www-prefix',
    short: 'P',
    type: 'string',
    default: '/static/',
    section,
    help: 'Path below which these files are served.',
  },
  {
    name: 'accept-paths',
    type: 'string',
    default: '^.*',
    section,
    help: 'Regular expressions for paths that are passed on.',
  },
  {
    name: 'reject-paths',
    type: 'string',
    default: '^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach',
    section,
    help: 'Regular expressions for paths that are not, even if they are accepted.',
  },
  {
    name: 'accept-hosts',
    type: 'string',
    default: '^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$',
    section,
    help: 'Regular expressions for names under which the proxy may be asked: pages of others use other names.',
  },
  {
    name: 'reject-methods',
    type: 'string',
    default: '^$',
    section,
    help: 'Regular expressions for methods that are not passed on.',
  },
  {
    name: 'disable-filter',
    type: 'bool',
    section,
    help: 'Pass everything on. Any page in a browser on this machine can then act as you.',
  },
  {
    name: 'keepalive',
    type: 'duration',
    default: '0s',
    section,
    help: 'How often connections are probed; 0 for never.',
  },
  {
    name: 'append-server-path',
    type: 'bool',
    section,
    help: "Put the path of the server's URL before each path.",
  },
] as const satisfies readonly OptionSpec[];

type ProxyOptions = ConfigOf<typeof proxyOptions>;

/** The verb. */
export const proxyVerb = defineVerb({
  program: {
    name: 'ctl proxy',
    summary: 'Serve the API on a local port, with your credentials',
    usage: '[--port=PORT] [--api-prefix=PATH] [--www=FOLDER] [flags]',
    options: proxyOptions,
    examples: [
      { command: 'ctl proxy --port=8001', does: 'then: curl http://localhost:8001/api/v1/pods' },
      { command: 'ctl proxy --api-prefix=/custom/ --www=./site', does: 'serve a site beside the API' },
    ],
  },
  async run(ctl, { options, args }) {
    if (args.length > 0) throw new UsageError(`unexpected arguments: ${args.join(' ')}`);
    const filter = options.disableFilter ? () => true : createFilter(options);
    if (options.disableFilter && !options.unixSocket) {
      ctl.io.stderr.write(
        'Request filter disabled, your proxy is vulnerable to XSRF attacks, please be cautious\n',
      );
    }
    const connection = await ctl.connection();
    const path = new URL(connection.server).pathname.replace(/\/$/, '');
    const forwarder = new Forwarder({ connection, pathPrefix: options.appendServerPath ? path : '' });
    const server = createProxy(forwarder, filter, options);
    const interrupt = watchInterrupt(ctl);
    try {
      await listen(server, options);
      ctl.io.stdout.write(`Starting to serve on ${addressOf(server)}\n`);
      await interrupt.came;
    } finally {
      interrupt.stop();
      server.close();
      server.closeAllConnections();
      forwarder.close();
    }
  },
});

function createProxy(forwarder: Forwarder, filter: RequestFilter, options: ProxyOptions): Server {
  const { www, keepaliveMs } = options;
  const prefix = slashed(options.apiPrefix);
  const siteRoot = slashed(options.wwwPrefix);
  const roots = www ? [siteRoot, prefix] : [prefix];
  const isPassedOn = ({ method = '', headers }: IncomingMessage, path: string) =>
    filter({ method, path, host: headers.host ?? '' });
  // Without its prefix a path begins anew; one above the prefix, or with escapes in it, leads nowhere.
  const apiPath = (url: string) => (url.startsWith(prefix) ? `/${url.slice(prefix.length)}` : undefined);
  const server = createServer((request, response) => {
    const { url = '/', method = '' } = request;
    const asked = readRequestPath(url);
    if (asked === undefined) return sendText(response, 400, 'Bad Request');
    const straight = straightPath(asked, roots);
    if (straight !== undefined) return sendElsewhere(response, method, straight);
    if (www && asked.path.startsWith(siteRoot)) {
      sendStaticFile(response, www, asked.path.slice(siteRoot.length)).catch(() => response.destroy());
      return;
    }
    const path = apiPath(url);
    if (path === undefined) return sendNotFound(response);
    if (isPassedOn(request, asked.path)) return forwarder.pass(request, response, path);
    sendText(response, 403, 'Forbidden');
  });
  server.on('upgrade', (request, socket, head) => {
    const { url = '/' } = request;
    const asked = readRequestPath(url);
    const path = asked === undefined || straightPath(asked, roots) !== undefined ? undefined : apiPath(url);
    if (asked !== undefined && path !== undefined && isPassedOn(request, asked.path))
      return forwarder.upgrade(request, socket, head, path);
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  server.on('connection', (socket) => socket.setKeepAlive(keepaliveMs > 0, keepaliveMs));
  return server;
}

function slashed(prefix: string): string {
  return `/${prefix}/`.replace(/\/+/g, '/');
}

/** @throws CtlError when the address cannot be listened on */
async function listen(server: Server, { unixSocket, port, address }: ProxyOptions): Promise<void> {
  // Not where the flag's range was checked before.
  if (!unixSocket && (port < 0 || port > 65_535))
    throw new CtlError(`listen tcp: address ${port}: invalid port`);
  server.listen(unixSocket ? { path: unixSocket } : { port, host: address });
  try {
    await once(server, 'listening');
  } catch (error) {
    const place = unixSocket ? { path: unixSocket } : ({ network: 'tcp', host: address, port } as const);
    throw new CtlError(describeListenError(error, place), { cause: error });
  }
}

function addressOf(server: Server): string {
  const bound: AddressInfo | string | null = server.address();
  if (bound === null || typeof bound === 'string') return bound ?? '';
  return bound.family === 'IPv6' ? `[${bound.address}]:${bound.port}` : `${bound.address}:${bound.port}`;
}
