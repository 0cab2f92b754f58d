import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { issueCertificate, makeAuthority } from '../../src/server/pki/index.ts';
import type { ApiClient } from './api-client.ts';

type OnRequest = (request: IncomingMessage, response: ServerResponse) => void;
type OnUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** What the agent saw of a request. */
export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  /** Common name in the client's certificate; empty without one. */
  readonly client: string;
  /** Whether that certificate is one of the agent's client authority. */
  readonly isTrusted: boolean;
}

/** An HTTPS server on loopback that tests let answer as the agent of a node would. */
export interface FakeAgent {
  readonly port: number;
  readonly authorityPem: string;
  readonly seen: SeenRequest[];
  /** Connections that are open. */
  readonly connectionCount: () => number;
  /** How requests are answered from now on. */
  onRequest: OnRequest;
  /** How requests for another protocol are. */
  onUpgrade: OnUpgrade;
  stop(): Promise<void>;
}

const dayMs = 86_400_000;

/** Starts an agent whose certificate is for 127.0.0.1, from an authority of its own. */
export async function startFakeAgent(
  options: { readonly clientAuthorityPem?: string } = {},
): Promise<FakeAgent> {
  const period = { nowMs: Date.now(), lifetimeMs: dayMs };
  const authority = await makeAuthority({ commonName: 'agents', ...period });
  const serving = await issueCertificate({
    authority,
    subject: { commonName: 'agent' },
    usage: 'server',
    ipAddresses: ['127.0.0.1'],
    ...period,
  });
  const server = createServer({
    cert: serving.certificatePem,
    key: serving.privateKeyPem,
    ...(options.clientAuthorityPem === undefined ? {} : { ca: options.clientAuthorityPem }),
    requestCert: true,
    rejectUnauthorized: false,
  });
  const sockets = new Set<Duplex>();
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const agent: FakeAgent = {
    port: await listen(server),
    authorityPem: authority.certificatePem,
    seen: [],
    connectionCount: () => sockets.size,
    onRequest: (_, response) => response.writeHead(404).end('404: Page Not Found'),
    onUpgrade: (_, socket) => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  server.on('request', (request, response) => {
    agent.seen.push(describe(request));
    agent.onRequest(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    agent.seen.push(describe(request));
    agent.onUpgrade(request, socket, head);
  });
  return agent;
}

/** Tells the API of a node whose agent this is. */
export async function registerNode(
  admin: ApiClient,
  name: string,
  { port, address = '127.0.0.1' }: { readonly port: number; readonly address?: string },
  { endpointField = 'nodeAgentEndpoint' } = {},
): Promise<void> {
  await admin.create('/api/v1/nodes', { kind: 'Node', apiVersion: 'v1', metadata: { name } });
  await admin.expect('PATCH', `/api/v1/nodes/${name}/status`, {
    contentType: 'application/merge-patch+json',
    body: {
      status: {
        addresses: [{ type: 'InternalIP', address }],
        daemonEndpoints: { [endpointField]: { Port: port } },
      },
    },
  });
}

function describe({ method, url, headers, socket }: IncomingMessage): SeenRequest {
  const tls = socket as TLSSocket; // an HTTPS server's sockets are such
  const { subject } = tls.getPeerCertificate();
  return { method, url, headers, client: String(subject?.CN ?? ''), isTrusted: tls.authorized };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
