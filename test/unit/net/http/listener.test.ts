import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { HttpListener, type Incoming, type ListenerOptions } from '../../../../src/net/http/index.ts';
import { issueCertificate, makeAuthority } from '../../../../src/server/pki/index.ts';
import { eventually } from '../../../support/eventually.ts';

const answer = async ({ request, response }: Incoming): Promise<void> => {
  response.end(`${request.httpVersion} ${request.url}`);
};

/** All that comes until the other side closes. */
async function textOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('error', () => {});
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  if (!socket.closed) await once(socket, 'close');
  return text;
}

describe('HttpListener', () => {
  let tls: NonNullable<ListenerOptions['tls']>;
  let listener: HttpListener | undefined;
  before(async () => {
    const period = { nowMs: Date.now(), lifetimeMs: 86_400_000 };
    const authority = await makeAuthority({ commonName: 'test', ...period });
    const subject = { commonName: 'server' };
    const pair = await issueCertificate({ authority, subject, usage: 'server', ...period });
    const context = { cert: pair.certificatePem, key: pair.privateKeyPem, ca: authority.certificatePem };
    tls = { context, asksForCertificate: true, http2: {} };
  });
  afterEach(() => listener?.[Symbol.asyncDispose]());

  const listen = (options: Partial<ListenerOptions> = {}): Promise<number> => {
    listener = new HttpListener({ address: '127.0.0.1', port: 0, serve: answer, ...options });
    return listener.listen();
  };
  const dial = async (port: number, isTls: boolean): Promise<Socket> => {
    if (!isTls) return connectTcp(port, '127.0.0.1');
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return socket;
  };

  it('tells who speaks plain HTTP that this is a port for TLS', async () => {
    const socket = await dial(await listen({ tls }), false);
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await textOf(socket)).to.match(
      /^HTTP\/1\.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server\.\n$/,
    );
  });

  const upgrading = 'GET /b HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
  for (const isTls of [false, true]) {
    const over = isTls ? 'TLS' : 'TCP';
    it(`takes an upgrade on a connection that is still being answered, over ${over}`, async () => {
      const gate = Promise.withResolvers<void>();
      const timeouts: (number | undefined)[] = [];
      const serve = async (incoming: Incoming): Promise<void> => {
        if (incoming.upgrade === undefined) await gate.promise;
        else timeouts.push((incoming.upgrade.socket as Socket).timeout); // it listens for nothing else
        await answer(incoming);
      };
      const socket = await dial(await listen({ ...(isTls && { tls }), serve }), isTls);
      const text = textOf(socket);
      socket.write(`GET /a HTTP/1.1\r\nhost: x\r\n\r\n${upgrading}`);
      setImmediate(gate.resolve);
      expect(await text).to.match(/^HTTP\/1\.1 200 .*1\.1 \/aHTTP\/1\.1 200 .*1\.1 \/b$/s);
      expect(timeouts).to.deep.equal([0]);
    });
  }

  for (const isTls of [false, true])
    it(`serves as a plain request what may not become another protocol, over ${isTls ? 'TLS' : 'TCP'}`, async () => {
      const serve = async ({ request, response, upgrade }: Incoming): Promise<void> => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer); // a request without encoding gives bytes
        response.end(`${upgrade === undefined} ${Buffer.concat(chunks)}`);
      };
      const asked: (string | undefined)[] = [];
      const upgrades = ({ url }: { readonly url?: string | undefined }): boolean => {
        asked.push(url);
        return false;
      };
      const listening = await listen({ ...(isTls && { tls: { ...tls, http2: {} } }), serve, upgrades });
      const socket = await dial(listening, isTls);
      const text = textOf(socket);
      const head = 'host: x\r\nconnection: upgrade\r\nupgrade: h2c\r\ncontent-length: 4';
      socket.write(`POST http://x/a HTTP/1.1\r\n${head}\r\n\r\nbody`);
      expect(await text).to.match(/^HTTP\/1\.1 200 .*\r\nconnection: close.*true body$/is);
      expect(asked).to.deep.equal(['/a']);
    });

  it('forgets an upgrade behind an answer that nobody waited for', async () => {
    const served: (string | undefined)[] = [];
    const gone = Promise.withResolvers<void>();
    const serve = async ({ request, response }: Incoming): Promise<void> => {
      served.push(request.url);
      response.on('close', gone.resolve);
    };
    const socket = await dial(await listen({ tls, serve }), true);
    socket.write(`GET /a HTTP/1.1\r\nhost: x\r\n\r\n${upgrading}`);
    await eventually(async () => (served.length > 0 ? true : undefined));
    socket.on('error', () => {}).destroy();
    await gone.promise;
    expect(served).to.deep.equal(['/a']);
  });

  describe('clients that are to come again', () => {
    let client: { readonly cert: string; readonly key: string };
    before(async () => {
      const period = { nowMs: Date.now(), lifetimeMs: 86_400_000 };
      const authority = await makeAuthority({ commonName: 'users', ...period });
      const pair = await issueCertificate({
        authority,
        subject: { commonName: 'c' },
        usage: 'client',
        ...period,
      });
      client = { cert: pair.certificatePem, key: pair.privateKeyPem };
    });
    const head = 'GET /x HTTP/1.1\r\nhost: x\r\n\r\n';

    it('get one more answer over HTTP/1.1', async () => {
      const port = await listen({ tls });
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...client });
      await once(socket, 'secureConnect');
      const answers = textOf(socket);
      socket.write(head);
      await once(socket, 'data');
      listener?.retireClients();
      socket.write(head);
      const [first = '', second = ''] = (await answers).split(/(?=HTTP\/1\.1 200 OK)/);
      expect(first).to.match(/keep-alive/i);
      expect(second).to.match(/connection: close/i);
    });

    it('are told over HTTP/2 to go away, after what is under way', async () => {
      let finish = () => {};
      const port = await listen({
        tls,
        serve: async ({ response }) => {
          finish = () => response.end('late');
        },
      });
      const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, ...client });
      const stream = session.request({ ':path': '/' });
      stream.setEncoding('utf8');
      await eventually(async () => (finish.toString().includes('end') ? true : undefined));
      listener?.retireClients();
      await once(session, 'goaway');
      finish();
      const [text] = await once(stream, 'data');
      expect(text).to.equal('late');
      await once(session, 'close');
    });

    it('are no others', async () => {
      const socket = await dial(await listen({ tls }), true);
      listener?.retireClients();
      const answers = textOf(socket);
      socket.write(head);
      await once(socket, 'data');
      socket.end();
      expect(await answers).to.match(/keep-alive/i);
    });
  });

  it('refuses handshakes until there is a certificate', async () => {
    const port = await listen({ tls: { ...tls, context: undefined } });
    const refused = await dial(port, true).catch((error: NodeJS.ErrnoException) => error);
    expect(refused).to.be.instanceOf(Error);
    listener?.setTls(tls.context ?? {});
    const socket = await dial(port, true);
    socket.write('GET /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(await textOf(socket)).to.match(/1\.1 \/a$/);
  });

  /** Soon, but not before a busy machine has made a handshake. */
  const headersTimeoutMs = (isTls: boolean): number => (isTls ? 2000 : 60);

  for (const isTls of [true, false]) {
    const limits = { headersTimeoutMs: headersTimeoutMs(isTls) };
    const begins = { 'one that is silent': '', 'one that says half of a head': 'GET / HTTP/1.1\r\nx: ' };
    for (const [what, begin] of Object.entries(begins)) {
      it(`closes a connection that sends no request in time: ${what}, ${isTls ? 'TLS' : 'TCP'}`, async () => {
        const socket = await dial(await listen({ limits, ...(isTls ? { tls } : {}) }), isTls);
        socket.write(begin);
        expect(await textOf(socket)).to.match(/^(?:HTTP\/1\.1 408 Request Timeout\r\n.*)?$/s);
      });
    }
  }

  it('serves connections of its own process', async () => {
    await listen({ tls });
    const connection = listener?.connect();
    connection?.write('GET /inner HTTP/1.1\r\nhost: x\r\n\r\n');
    const [chunk] = await once(connection ?? process, 'data');
    expect(String(chunk)).to.contain('1.1 /inner');
  });

  describe('methods that the parser does not know', () => {
    const serve = async ({ request, response }: Incoming): Promise<void> => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method, url, headers } = request;
      response.end(`<${method} ${url} ${headers['x-name'] ?? ''} ${body}>`);
    };
    const rest = ' /a HTTP/1.1\r\nHost: x\r\nX-Name: n\r\n';
    const answersOf = async (isTls: boolean, ...packets: string[]): Promise<string[]> => {
      const socket = await dial(await listen({ serve, ...(isTls ? { tls } : {}) }), isTls);
      socket.setNoDelay(true);
      for (const packet of packets)
        await new Promise<void>((resolve) => socket.write(packet, () => resolve()));
      return (await textOf(socket)).match(/<.*?>|^HTTP\/1\.1 4.*/gms) ?? [];
    };

    for (const isTls of [true, false]) {
      const name = isTls ? 'TLS' : 'TCP';
      for (const method of ['FOO', 'get', 'GETX', 'P', 'Foo-Bar', 'PLAY', 'x'.repeat(64)]) {
        it(`reach the handler like any other: ${method}, ${name}`, async () => {
          expect(await answersOf(isTls, `${method}${rest}\r\n`)).to.deep.equal([`<${method} /a n >`]);
        });
      }

      it(`come with bodies, whatever their form and packets: ${name}`, async () => {
        expect(await answersOf(isTls, `FOO${rest}Content-Length: 5\r\n\r\nab`, 'cde')).to.deep.equal([
          '<FOO /a n abcde>',
        ]);
        await listener?.[Symbol.asyncDispose]();
        const chunked = 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n';
        expect(await answersOf(isTls, 'FOO /', rest.slice(2), chunked)).to.deep.equal(['<FOO /a n ab>']);
      });

      it(`are answered in turn behind other requests of the connection, which then closes: ${name}`, async () => {
        const others = `POST${rest}Content-Length: 2\r\n\r\nabGET${rest}\r\n`;
        expect(await answersOf(isTls, `${others}FOO${rest}\r\nGET${rest}\r\n`)).to.deep.equal([
          '<POST /a n ab>',
          '<GET /a n >',
          '<FOO /a n >',
        ]);
      });

      const refused = [
        'F\u0001OO /a HTTP/1.1\r\n',
        '"',
        `${'x'.repeat(65)}${rest}\r\n`,
        ' / HTTP/1.1\r\n',
        'FOO\r\n\r\n',
      ];
      for (const bytes of [...refused, `FOO${rest}no colon\r\n\r\n`, 'FOO /a HTTP/9.x\r\n\r\n']) {
        it(`are refused like others when they are malformed: ${JSON.stringify(bytes.slice(0, 20))}, ${name}`, async () => {
          const [only] = await answersOf(isTls, bytes);
          expect(only).to.match(/^HTTP\/1\.1 400 Bad Request\r\n.*\r\n\r\n400 Bad Request$/s);
        });
      }

      it(`have their heads bounded in size and time: ${name}`, async () => {
        const options = { serve, ...(isTls ? { tls } : {}) };
        const socket = await dial(
          await listen({ ...options, limits: { headersTimeoutMs: headersTimeoutMs(isTls) } }),
          isTls,
        );
        socket.write('FOO /a HTTP/1.1\r\nx: ');
        expect(await textOf(socket)).to.match(/^HTTP\/1\.1 408 Request Timeout\r\n/);
        await listener?.[Symbol.asyncDispose]();
        const large = await dial(await listen({ ...options, limits: { maxHeaderBytes: 2000 } }), isTls);
        large.write(`FOO /a HTTP/1.1\r\nx: ${'y'.repeat(3000)}\r\n\r\n`);
        expect(await textOf(large)).to.match(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
      });
    }

    it('keep what is known of the client', async () => {
      let seen: unknown[] = [];
      const look = async ({ request, response }: Incoming): Promise<void> => {
        const socket = request.socket as Socket & { getPeerCertificate(): object; authorized: boolean };
        seen = [socket.remoteAddress, socket.authorized, typeof socket.getPeerCertificate()];
        response.end();
      };
      const socket = await dial(await listen({ tls, serve: look }), true);
      socket.write(`FOO${rest}\r\n`);
      await textOf(socket);
      expect(seen).to.deep.equal(['127.0.0.1', false, 'object']);
    });
  });

  describe('bodies', () => {
    const limits = { bodyTimeoutMs: 60 };
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n';
    const read = async ({ request, response }: Incoming): Promise<void> => {
      let size = 0;
      for await (const chunk of request) size += (chunk as Buffer).length;
      response.end(`${size}`);
    };
    const refused = async ({ response }: Incoming): Promise<void> => void response.end('no');
    const readers = { 'is read': read, 'was answered without it': refused };

    for (const [how, serve] of Object.entries(readers)) {
      it(`that stop coming end their connection: one that ${how}`, async () => {
        const socket = await dial(await listen({ serve, limits, onError: () => {} }), false);
        socket.write(`${head}half`);
        expect(await textOf(socket)).to.match(/^$|\r\nno$/); // never the length of what came
      });
    }

    it('that stop coming end the connection of who asks for the server as a whole', async () => {
      const socket = await dial(await listen({ limits, onError: () => {} }), false);
      socket.write(`${head.replace('POST /', 'OPTIONS *')}half`);
      expect(await textOf(socket)).to.contain('content-length: 0');
    });

    it('that stop coming end their stream of HTTP/2, and nothing else', async () => {
      const ends: string[] = [];
      const serve = async (incoming: Incoming): Promise<void> => {
        if (incoming.request.method === 'GET') return answer(incoming);
        incoming.request
          .on('aborted', () => ends.push('aborted'))
          .on('end', () => ends.push('end'))
          .resume();
      };
      const session = connectHttp2(`https://127.0.0.1:${await listen({ tls, serve, limits })}`, {
        rejectUnauthorized: false,
      });
      const stream = session.request({ ':method': 'POST' });
      stream.on('error', () => {});
      stream.write('half');
      await once(stream, 'close');
      expect(ends[0]).to.equal('aborted'); // before any end, so that nobody takes half for the whole
      const other = session.request({ ':path': '/still' });
      const [chunk] = await once(other, 'data');
      expect(String(chunk)).to.equal('2.0 /still');
      session.destroy();
    });
  });

  describe('requests that fail', () => {
    const failing: [what: string, serve: ListenerOptions['serve']][] = [
      ['reject', async () => Promise.reject(new TypeError('a mistake'))],
      [
        'throw',
        () => {
          throw new TypeError('a mistake');
        },
      ],
    ];
    for (const [what, fail] of failing) {
      it(`because their handlers ${what} cost themselves only`, async () => {
        const errors: unknown[] = [];
        const serve = (incoming: Incoming): Promise<void> =>
          incoming.request.url === '/bad' ? fail(incoming) : answer(incoming);
        const onError = (error: unknown): void => void errors.push(error);
        const port = await listen({ tls, serve, onError });
        const socket = await dial(port, true);
        socket.write('GET /bad HTTP/1.1\r\nhost: x\r\n\r\n');
        expect(await textOf(socket)).to.equal('');
        const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
        const bad = session.request({ ':path': '/bad' });
        bad.on('error', () => {});
        await once(bad, 'close');
        const [chunk] = await once(session.request({ ':path': '/good' }), 'data');
        expect(String(chunk)).to.equal('2.0 /good');
        expect(errors.map(String)).to.deep.equal(['TypeError: a mistake', 'TypeError: a mistake']);
        session.destroy();
      });
    }
  });

  describe('targets', () => {
    const ask = async (port: number, line: string): Promise<string> => {
      const socket = await dial(port, false);
      socket.write(`${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      return textOf(socket);
    };

    for (const [target, local] of [
      ['https://other:6443/a/b?c=/d', '/a/b?c=/d'],
      ['HTTP://other', ''],
      ['http://other?a=b', '?a=b'],
      ['/http://other', '/http://other'],
    ]) {
      it(`are served without the server's name: ${target}`, async () => {
        const [, body] = (await ask(await listen(), `GET ${target}`)).split('\r\n\r\n');
        expect(body).to.equal(`1.1 ${local}`);
      });
    }

    it('are answered by the listener when they mean the whole server', async () => {
      const serve = () => Promise.reject(new Error('not to be asked'));
      expect(await ask(await listen({ serve }), 'OPTIONS *')).to.match(
        /^HTTP\/1\.1 200 OK\r\ncontent-length: 0\r\n/,
      );
    });
  });

  describe('requests that are given up', () => {
    it('abort their signal, and close their connection after the response', async () => {
      const reasons: unknown[] = [];
      const serve = async (incoming: Incoming): Promise<void> => {
        const { signal } = incoming;
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        incoming.abort(new Error('too late'));
        incoming.response.end('late');
      };
      const socket = await dial(await listen({ serve }), false);
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      expect(await textOf(socket)).to.match(/connection: close(?:.|\r\n)*late/i);
      expect(reasons.map(String)).to.deep.equal(['Error: too late']);
    });
  });

  describe('connections', () => {
    const ask = async (socket: Socket, path = '/'): Promise<string> => {
      if (socket.closed) return 'closed';
      socket.on('error', () => {});
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      return new Promise((resolve) => {
        socket.once('data', (chunk) => resolve(String(chunk).split('\r\n\r\n')[1] ?? ''));
        socket.once('close', () => resolve('closed'));
      });
    };
    /** Everybody who asks for /me has proved who they are. */
    const serve = async (incoming: Incoming): Promise<void> => {
      if (incoming.request.url === '/me') incoming.trust();
      await answer(incoming);
    };

    for (const isTls of [true, false]) {
      it(`of unauthenticated clients make room for new ones, the oldest first: ${isTls ? 'TLS' : 'TCP'}`, async () => {
        let times = 0;
        const onLimit = (): void => void times++;
        const limits = { maxConnections: 100, maxUnauthenticated: 2 };
        const port = await listen({ serve, onLimit, limits, ...(isTls ? { tls } : {}) });
        const known = await dial(port, isTls);
        expect(await ask(known, '/me')).to.equal('1.1 /me');
        const unauthenticated: Socket[] = [];
        for (let count = 0; count < 3; count++) {
          const socket = await dial(port, isTls);
          expect(await ask(socket, '/a')).to.equal('1.1 /a');
          unauthenticated.push(socket);
        }
        expect(await ask(unauthenticated[0] ?? known)).to.equal('closed');
        for (const socket of [known, ...unauthenticated.slice(1)])
          expect(await ask(socket, '/b')).to.equal('1.1 /b');
        expect(times).to.equal(1);
      });
    }

    it('from within this process take no place from clients', async () => {
      const limits = { maxConnections: 1, maxUnauthenticated: 1 };
      const listener = new HttpListener({ address: '127.0.0.1', port: 0, serve, limits });
      try {
        const port = await listener.listen();
        const own = [listener.connect(), listener.connect()];
        expect(await ask(await dial(port, false), '/me')).to.equal('1.1 /me');
        for (const connection of own) expect(connection.destroyed).to.equal(false);
      } finally {
        await listener.stop(0);
      }
    });

    it('of clients who are known are not closed for new ones', async () => {
      const port = await listen({ serve, limits: { maxConnections: 2, maxUnauthenticated: 2 } });
      const known = [await dial(port, false), await dial(port, false)];
      for (const socket of known) expect(await ask(socket, '/me')).to.equal('1.1 /me');
      expect(await ask(await dial(port, false))).to.equal('closed');
      for (const socket of known) expect(await ask(socket, '/b')).to.equal('1.1 /b');
    });
  });
});
