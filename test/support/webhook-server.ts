import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { issueCertificate, makeAuthority } from '../../src/server/pki/index.ts';

/** A call as the webhook got it. */
export interface ReceivedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Common name of the client's certificate; undefined without one. */
  readonly clientName: string | undefined;
  /** The name that the client asked for (RFC 6066, section 3); undefined when it named none. */
  readonly serverName: string | undefined;
}

/** How a webhook answers. */
export type AnswerCall = (call: ReceivedCall, response: ServerResponse) => void;

const hourMs = 3_600_000;

/** A real HTTPS server of one's own authority, on loopback, that keeps what it is sent. */
export class WebhookServer implements AsyncDisposable {
  readonly calls: ReceivedCall[] = [];
  /** Connections opened so far. */
  connections = 0;
  /** How calls are answered from now on. */
  answer: AnswerCall;
  readonly caBundle: string;
  readonly #server: Server;

  private constructor(server: Server, caBundle: string, answer: AnswerCall) {
    this.#server = server;
    this.caBundle = caBundle;
    this.answer = answer;
    server.on('secureConnection', () => this.connections++);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const { subject } = (request.socket as TLSSocket).getPeerCertificate();
        const { servername } = request.socket as TLSSocket & { readonly servername: string | false };
        const call = {
          method,
          url,
          headers,
          body: Buffer.concat(chunks).toString(),
          clientName: subject?.CN?.toString(),
          serverName: servername === false ? undefined : servername,
        };
        this.calls.push(call);
        this.answer(call, response);
      });
    });
  }

  /** Listens on a free port, or the same as another one at an address of its own. Its certificate is for 127.0.0.1 and `names`. */
  static async start(
    answer: AnswerCall,
    names: readonly string[] = [],
    { address = '127.0.0.1', port = 0 } = {},
  ): Promise<WebhookServer> {
    const times = { nowMs: Date.now(), lifetimeMs: hourMs };
    const authority = await makeAuthority({ commonName: 'webhook-authority', ...times });
    const pair = await issueCertificate({
      authority,
      subject: { commonName: 'webhook' },
      usage: 'server',
      dnsNames: names,
      ipAddresses: ['127.0.0.1'],
      ...times,
    });
    const server = createServer({
      cert: pair.certificatePem,
      key: pair.privateKeyPem,
      // Anybody's certificate is taken: the test looks at it.
      requestCert: true,
      rejectUnauthorized: false,
    });
    server.listen(port, address);
    await once(server, 'listening');
    return new WebhookServer(server, Buffer.from(authority.certificatePem).toString('base64'), answer);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
