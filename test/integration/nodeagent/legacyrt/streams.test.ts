import { once } from 'node:events';
import http from 'node:http';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { WebSocket } from 'ws';
import {
  type ClientConnection,
  type OpenedStream,
  openSpdyConnection,
} from '../../../../src/net/spdy/index.ts';
import type { ContainerRuntime, RuntimeService } from '../../../../src/nodeagent/runtime/index.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { eventually } from '../../../support/eventually.ts';
import { requireEngine } from '../../../support/require-engine.ts';
import { EnginePod, openEngine } from './engine-pod.ts';

const untilAsked = 'trap "exit 0" TERM; while :; do sleep 1000 & wait $!; done';
const success = '{"metadata":{},"status":"Success"}';
const none = { tty: false, stdin: false, stdout: false, stderr: false };

describe('streams of the engine', () => {
  let engine: TestEngine | undefined;
  let driver: ContainerRuntime | undefined;
  let runtime: RuntimeService;
  let pod: EnginePod;
  let containerId = '';

  requireEngine();
  before(async () => {
    engine = await startEngine();
    driver = openEngine(engine);
    ({ runtime } = driver);
    pod = await EnginePod.run(runtime, engine);
    containerId = await pod.start(runtime, 'idle', `httpd -p 127.0.0.1:8080 -h /www; ${untilAsked}`);
  });
  after(async () => {
    await driver?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  const execUrl = (script: string, streams: Partial<typeof none>) =>
    runtime.execUrl({ containerId, command: ['sh', '-c', script], ...none, ...streams });

  it('carry a command over SPDY, its input ending before its output', async () => {
    const url = await execUrl('cat; echo error >&2; exit 3', { stdin: true, stdout: true, stderr: true });
    await using client = await SpdyClient.open(url, 'v4.channel.orch.io');
    const open = (name: string) => client.open({ streamType: name });
    const [error, stdin, stdout, stderr] = await Promise.all(
      ['error', 'stdin', 'stdout', 'stderr'].map(open),
    );
    // More than buffers on the way hold, so that each side has to wait for the other.
    const text = 'some text\n'.repeat(100_000);
    await stdin?.stream.write(Buffer.from(text));
    stdin?.stream.end();
    await Promise.all([error?.ended, stdout?.ended, stderr?.ended]);
    expect(stdout?.text().length).to.equal(text.length);
    expect(stdout?.text() === text).to.equal(true);
    expect(stderr?.text()).to.equal('error\n');
    const status = JSON.parse(error?.text() ?? '') as { reason: string; details: { causes: unknown[] } };
    expect(status.reason).to.equal('NonZeroExitCode');
    expect(status.details.causes).to.deep.equal([{ reason: 'ExitCode', message: '3' }]);
  });

  it('carry a terminal with its size over SPDY', async () => {
    // The size is a request of its own, which nobody says the end of.
    const size = '$(stty size 2>/dev/null || busybox stty size)';
    const script = `until test "${size}" = "13 71"; do sleep 0.1; done; echo ${size}; read line; test -t 0 && echo terminal $line`;
    const url = await execUrl(script, { tty: true, stdin: true, stdout: true });
    await using client = await SpdyClient.open(url, 'v4.channel.orch.io');
    const open = (name: string) => client.open({ streamType: name });
    const [error, stdin, stdout, resize] = await Promise.all(
      ['error', 'stdin', 'stdout', 'resize'].map(open),
    );
    await resize?.stream.write(Buffer.from('{"Width":71,"Height":13}\n'));
    await stdin?.stream.write(Buffer.from('go on\n'));
    await Promise.all([error?.ended, stdout?.ended]);
    expect(stdout?.text()).to.contain('13 71').and.to.contain('terminal go on');
    expect(error?.text()).to.equal(success);
  });

  it('carry commands over websockets, as bytes or as text', async () => {
    for (const protocol of ['v4.channel.orch.io', 'v4.base64.channel.orch.io']) {
      const url = await execUrl('read line; echo "got $line"', { stdin: true, stdout: true });
      const client = await ChannelClient.open(url, protocol);
      client.send(0, 'it\n');
      expect(await client.closed).to.equal(1000);
      expect([client.text(1), client.text(3)]).to.deep.equal(['got it\n', success]);
    }
  });

  it('say why a command cannot be run', async () => {
    const url = await runtime.execUrl({ containerId, command: ['no-such-program'], ...none, stdout: true });
    const client = await ChannelClient.open(url, 'v4.channel.orch.io');
    await client.closed;
    const status = JSON.parse(client.text(3)) as { reason: string; message: string };
    expect(status.reason).to.equal('InternalError');
    expect(status.message).to.match(/^Internal error occurred: error executing command in container: /);
  });

  it('attach to the first process of a container', async () => {
    const id = await pod.start(runtime, 'cat', 'exec cat', { stdin: true });
    const url = await runtime.attachUrl({ ...none, containerId: id, stdin: true, stdout: true });
    const client = await ChannelClient.open(url, 'v4.channel.orch.io');
    client.send(0, 'are you there\n');
    await eventually(async () => client.text(1).includes('are you there') || undefined);
    client.close();
    await client.closed;
  });

  it('forward ports that only the pod itself can reach, over websockets', async () => {
    const url = await runtime.portForwardUrl({ podSandboxId: pod.id, ports: [8080] });
    const client = await ChannelClient.open(url, 'v4.channel.orch.io');
    client.send(0, 'GET /nope HTTP/1.0\r\n\r\n');
    await eventually(async () => client.text(0).includes('404 Not Found') || undefined);
    expect([...Buffer.from(client.text(0).slice(0, 2), 'latin1')]).to.deep.equal([0x90, 0x1f]);
    client.close();
  });

  it('end well over websockets when nobody listens on a port, and say so before', async () => {
    const url = await runtime.portForwardUrl({ podSandboxId: pod.id, ports: [9] });
    const client = await ChannelClient.open(url, 'v4.channel.orch.io');
    expect(await client.closed).to.equal(1000);
    expect(client.text(1)).to.match(/error forwarding port 9 to pod .*ECONNREFUSED/);
  });

  it('forward many connections to ports over SPDY, and say which port nobody listens on', async () => {
    const url = await runtime.portForwardUrl({ podSandboxId: pod.id, ports: [] });
    await using client = await SpdyClient.open(url, 'portforward.orch.io');
    const connect = async (port: number, requestID: string) => {
      const error = await client.open({ streamType: 'error', port: `${port}`, requestID });
      error.stream.end();
      return { error, data: await client.open({ streamType: 'data', port: `${port}`, requestID }) };
    };
    const [one, two, closed] = [await connect(8080, '0'), await connect(8080, '1'), await connect(9, '2')];
    for (const { data } of [one, two]) await data.stream.write(Buffer.from('GET /nope HTTP/1.0\r\n\r\n'));
    await Promise.all([one.data.ended, two.data.ended, closed.error.ended]);
    expect(one.data.text()).to.contain('404 Not Found');
    expect(two.data.text()).to.contain('404 Not Found');
    expect(one.error.text()).to.equal('');
    expect(closed.error.text()).to.match(/^error forwarding port 9 to pod .*ECONNREFUSED/);
  });

  it('have addresses that are good once, and for an upgrade only', async () => {
    const url = await execUrl('true', { stdout: true });
    expect((await fetch(url)).status).to.equal(400);
    const client = await ChannelClient.open(url, 'v4.channel.orch.io');
    await client.closed;
    expect(client.text(3)).to.equal(success);
    const failure = await ChannelClient.open(url, 'v4.channel.orch.io').catch(String);
    expect(failure).to.contain('404');
    const other = await execUrl('true', { stdout: true });
    expect(await ChannelClient.open(other, 'v9.other.io').catch(String)).to.contain('403');
  });
});

interface OpenStream {
  readonly stream: OpenedStream;
  readonly ended: Promise<unknown>;
  text(): string;
}

/** The client's side of SPDY. */
class SpdyClient {
  readonly #connection: ClientConnection;

  private constructor(connection: ClientConnection) {
    this.#connection = connection;
  }

  static async open(url: string, protocol: string): Promise<SpdyClient> {
    const connection = await openSpdyConnection(async (headers) => {
      const sent = http.request(url, {
        method: 'POST',
        headers: { ...headers, 'x-stream-protocol-version': protocol },
      });
      sent.end();
      const [answer, socket, first] = (await once(sent, 'upgrade')) as Parameters<
        Parameters<http.ClientRequest['on']>[1]
      >;
      return { answer, socket, first };
    });
    return new SpdyClient(connection);
  }

  async open(headers: Readonly<Record<string, string>>): Promise<OpenStream> {
    const chunks: Buffer[] = [];
    const { promise: ended, resolve } = Promise.withResolvers<unknown>();
    const onData = (bytes: Buffer): void => void chunks.push(Buffer.from(bytes));
    const stream = await this.#connection.openStream(headers, { onData, onEnd: resolve });
    return { stream, ended, text: () => Buffer.concat(chunks).toString('latin1') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.close();
  }
}

/** The client's side of websockets with channels. */
class ChannelClient {
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #isBase64: boolean;
  readonly #texts = new Map<number, string>();

  private constructor(socket: WebSocket, isBase64: boolean) {
    this.#socket = socket;
    this.#isBase64 = isBase64;
    this.closed = new Promise((resolve) => {
      socket.once('close', resolve);
    });
    socket.on('message', (message: Buffer) => {
      const channel = isBase64 ? Number(message.toString('latin1', 0, 1)) : (message[0] ?? -1);
      const rest = message.subarray(1);
      const bytes = isBase64 ? Buffer.from(rest.toString('latin1'), 'base64') : rest;
      this.#texts.set(channel, this.text(channel) + bytes.toString('latin1'));
    });
  }

  static async open(url: string, protocol: string): Promise<ChannelClient> {
    const socket = new WebSocket(url.replace('http:', 'ws:'), [protocol]);
    const client = new ChannelClient(socket, protocol.includes('base64'));
    await once(socket, 'open');
    expect(socket.protocol).to.equal(protocol);
    return client;
  }

  text(channel: number): string {
    return this.#texts.get(channel) ?? '';
  }

  send(channel: number, text: string): void {
    const bytes = Buffer.from(text);
    if (this.#isBase64) this.#socket.send(`${channel}${bytes.toString('base64')}`);
    else this.#socket.send(Buffer.concat([Buffer.from([channel]), bytes]));
  }

  close(): void {
    this.#socket.close();
  }
}
