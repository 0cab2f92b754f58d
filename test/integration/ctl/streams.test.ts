import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Duplex, PassThrough, type Readable } from 'node:stream';
import { expect } from 'chai';
import { type WebSocket, WebSocketServer } from 'ws';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import type { StreamedInput, TerminalSize } from '../../../src/ctl/index.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';
import { eventually } from '../../support/eventually.ts';
import { type FakeAgent, registerNode, startFakeAgent } from '../../support/fake-agent.ts';
import { inNamespace } from '../../support/objects.ts';
import { SpdyPeer } from '../../support/spdy-peer.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { type RunResult, type RunSetting, run } from '../../unit/ctl/support/run.ts';

const pods = inNamespace('default', 'pods');
const container = (name: string, more: object = {}) => ({ name, image: 'example/image:1', ...more });
const describeHint = (pod: string, first = 'main') =>
  `Defaulting container name to ${first}.\nUse 'ctl describe pod/${pod} -n default' to see all of the containers in this pod.\n`;

describe('ctl and the streams of containers', () => {
  let server: TestServer;
  let agent: FakeAgent;
  let folder: TemporaryDirectory;
  const ctl = (argv: readonly string[], setting: RunSetting = {}): Promise<RunResult> =>
    run(argv, { env: { ORCHCONFIG: join(folder.path, 'config') }, home: folder.path, ...setting });

  before(async () => {
    folder = await makeTemporaryDirectory();
    agent = await startFakeAgent();
    server = await startTestServer();
    await saveClientConfig(join(folder.path, 'config'), server.server.clientConfig);
    await registerNode(server.admin, 'near', agent);
    await makePod('one', { labels: { app: 'one' } });
    await makePod('two', {
      labels: { app: 'two' },
      spec: { initContainers: [container('init')], containers: [container('main'), container('side')] },
    });
    const annotations = (name: string) => ({ 'ctl.orch.io/default-logs-container': name });
    const containers = [container('main'), container('side')];
    await makePod('annotated', { annotations: annotations('side'), spec: { containers } });
    await makePod('mistaken', { annotations: annotations('nope'), spec: { containers } });
    await makePod('terminal', { spec: { containers: [container('main', { tty: true, stdin: true })] } });
    await makePod('done', { phase: 'Succeeded' });
    await makePod('waiting', { phase: 'Pending' });
    await server.admin.create(inNamespace('default', 'configmaps'), {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'cm' },
    });
    for (const [name, app] of [
      ['dep', 'two'],
      ['empty', 'none'],
    ] as const) {
      const labels = { app };
      await server.admin.create('/apis/apps/v1/namespaces/default/deployments', {
        kind: 'Deployment',
        apiVersion: 'apps/v1',
        metadata: { name },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container('main')] } },
        },
      });
    }
  });
  after(async () => {
    await server?.stop();
    await agent?.stop();
    await folder?.remove();
  });

  async function makePod(
    name: string,
    {
      phase = 'Running',
      spec = { containers: [container('main')] },
      ...metadata
    }: {
      readonly phase?: string;
      readonly spec?: object;
      readonly labels?: object;
      readonly annotations?: object;
    },
  ): Promise<void> {
    await server.admin.create(pods, {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name, ...metadata },
      spec: { ...spec, nodeName: 'near' },
    });
    await server.admin.expect('PATCH', `${pods}/${name}/status`, {
      contentType: 'application/merge-patch+json',
      body: { status: { phase } },
    });
  }

  // What the release's client 1.20 says to the same command lines, with the names of this product.
  describe('words as the release does', () => {
    type Expected = { readonly out?: string; readonly err?: string; readonly code?: number };
    const log = (path: string): Expected => ({ out: `/containerLogs/default/${path}\n` });
    const error = (message: string): Expected => ({ err: `error: ${message}\n`, code: 1 });
    const usage = (verb: string, message: string): Expected =>
      error(`${message}\nSee 'ctl ${verb} -h' for help and examples`);
    const logsUsage = usage(
      'logs',
      "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command",
    );
    const cases: readonly (readonly [line: string, Expected])[] = [
      ['logs', logsUsage],
      ['logs a b c', logsUsage],
      ['logs one -l app=one', usage('logs', 'only a selector (-l) or a POD name is allowed')],
      ['logs -l app=zzz', {}],
      ['logs one', log('one/main')],
      ['logs one main', log('one/main')],
      ['logs one nope', error('container nope is not valid for pod one')],
      ['logs one -c main main', error('only one of -c or an inline [CONTAINER] arg is allowed')],
      [
        'logs two',
        error(
          'a container name must be specified for pod two, choose one of: [main side] or one of the init containers: [init]',
        ),
      ],
      ['logs two -c init', log('two/init')],
      ['logs annotated', log('annotated/side')],
      [
        'logs mistaken',
        {
          err: 'Default container name "nope" not found in a pod\nerror: a container name must be specified for pod mistaken, choose one of: [main side]\n',
          code: 1,
        },
      ],
      [
        'logs two --all-containers -c main',
        error('--all-containers=true should not be specified with container name main'),
      ],
      ['logs -l app=one --tail=-1', log('one/main')],
      ['logs -l app=one', log('one/main?tailLines=10')],
      ['logs deploy/dep -c main', log('two/main')],
      ['logs deploy/empty --pod-running-timeout=50ms', error('timed out waiting for the condition')],
      ['logs deploy/dep --pod-running-timeout=0s', error('--pod-running-timeout must be higher than zero')],
      [
        'logs cm/cm',
        error('cannot get the logs from *v1.ConfigMap: selector for *v1.ConfigMap not implemented'),
      ],
      ['logs gone', { err: 'Error from server (NotFound): pods "gone" not found\n', code: 1 }],
      [
        'logs one --since=1h --since-time=2020-01-01T00:00:00Z',
        error('at most one of `sinceTime` or `sinceSeconds` may be specified'),
      ],
      [
        'logs one --since-time=yesterday',
        error('parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"'),
      ],
      ['logs one --since=-1s', error('--since must be greater than 0')],
      ['logs one --limit-bytes=-1', error('--limit-bytes must be greater than 0')],
      ['logs one --tail=-2', error('--tail must be greater than or equal to -1')],
      [
        'logs one --since=1500ms --limit-bytes=99 --timestamps -p -f',
        log('one/main?follow=true&limitBytes=99&previous=true&sinceSeconds=2&timestamps=true'),
      ],
      ['logs one --since-time=2020-01-01T00:00:00.5Z', log('one/main?sinceTime=2020-01-01T00%3A00%3A00Z')],
      [
        'logs -f -l app=two --all-containers --max-log-requests=2',
        error(
          'you are attempting to follow 3 log streams, but maximum allowed concurrency is 2, use --max-log-requests to increase the limit',
        ),
      ],
      ['exec', error('pod, type/name or --filename must be specified')],
      ['exec one', error('you must specify at least one command for the container')],
      ['exec one --', error('you must specify at least one command for the container')],
      ['exec -- date', error('pod, type/name or --filename must be specified')],
      ['exec gone -- date', { err: 'Error from server (NotFound): pods "gone" not found\n', code: 1 }],
      [
        'exec two -c nope -- date',
        { err: 'Error from server (BadRequest): container nope is not valid for pod two\n', code: 1 },
      ],
      [
        'exec done -- date',
        error('cannot exec into a container in a completed pod; current phase is Succeeded'),
      ],
      [
        'exec cm/cm -- date',
        error('cannot attach to *v1.ConfigMap: selector for *v1.ConfigMap not implemented'),
      ],
      ['attach', error('at least 1 argument is required for attach')],
      ['attach a b c', error('expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw 3: [a b c]')],
      ['attach two -c nope', error('cannot attach to the container: container not found (nope)')],
      ['attach done', error('cannot attach a container in a completed pod; current phase is Succeeded')],
      [
        'port-forward one',
        usage('port-forward', 'TYPE/NAME and list of ports are required for port-forward'),
      ],
      [
        'port-forward waiting 80',
        error('unable to forward port because pod is not running. Current status=Pending'),
      ],
      ['port-forward one nope', error("Pod 'one' does not have a named port 'nope'")],
      ['port-forward one 80 --address=here', error('here is not a valid IP')],
      ['cp', error('source and destination are required')],
      ['cp a b', error('one of src or dest must be a remote file specification')],
      ['cp a:b c:d', error('one of src or dest must be a local file specification')],
      ['cp a/b/c:d x', error('filespec must match the canonical format: [[namespace/]pod:]file/path')],
      ['cp one: x', error('filepath can not be empty')],
      ['cp /proc/none one:/x', error("/proc/none doesn't exist in local filesystem")],
      ['cp gone:/x y', { err: 'Error from server (NotFound): pods "gone" not found\n', code: 1 }],
    ];
    before(() => {
      agent.onRequest = (request, response) => response.end(`${request.url}\n`);
    });
    for (const [line, { out = '', err = '', code = 0 }] of cases) {
      it(`to ${line}`, async () => {
        expect(await ctl(line.split(' '))).to.deep.equal({ code, out, err });
      });
    }
  });

  describe('logs', () => {
    it('come from all containers in the order of their start, with their names when asked for', async () => {
      agent.onRequest = (request, response) => response.end(`from ${request.url?.split('/').at(-1)}\nlast`);
      const { out } = await ctl(['logs', 'two', '--all-containers', '--prefix']);
      expect(out).to.equal(
        ['init', 'main', 'side']
          .map((name) => `[pod/two/${name}] from ${name}\n[pod/two/${name}] last`)
          .join(''),
      );
    });

    it('are followed together, line by line', async () => {
      const answers = new Map<string, { write(text: string): unknown; end(): unknown }>();
      agent.onRequest = (request, response) => {
        response.flushHeaders();
        answers.set(/([a-z]+)\?/.exec(request.url ?? '')?.[1] ?? '', response);
      };
      const following = ctl(['logs', '-f', 'two', '--all-containers']);
      await eventually(async () => answers.size === 3 || undefined);
      answers.get('main')?.write('half a ');
      answers.get('side')?.write('whole\n');
      answers.get('side')?.end();
      answers.get('main')?.write('line\n');
      for (const answer of answers.values()) answer.end();
      const { code, out } = await following;
      expect(code).to.equal(0);
      expect(out.split('\n').sort()).to.deep.equal(['', 'half a line', 'whole']);
    });

    it('end with the first failure, unless that is to be ignored', async () => {
      agent.onRequest = (request, response) => {
        if (request.url?.includes('main')) response.writeHead(400).end('no log');
        else response.end('good\n');
      };
      const failed = await ctl(['logs', 'two', '--all-containers']);
      expect(failed).to.deep.equal({
        code: 1,
        out: 'good\n',
        err: 'Error from server (BadRequest): no log\n',
      });
      const ignored = await ctl(['logs', 'two', '--all-containers', '--ignore-errors']);
      expect(ignored).to.deep.equal({ code: 0, out: 'good\nerror: no log\ngood\n', err: '' });
    });
  });

  describe('sessions', () => {
    const success = '{"metadata":{},"status":"Success"}';
    const exit = (code: number) =>
      JSON.stringify({
        status: 'Failure',
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
      });

    /** Answers with a WebSocket as agents do. */
    function onWebSocket(act: (socket: WebSocket, request: IncomingMessage) => void): void {
      const sockets = new WebSocketServer({ noServer: true, handleProtocols: ([first]) => first ?? false });
      agent.onUpgrade = (request, socket, head) =>
        sockets.handleUpgrade(request, socket, head, (webSocket) => act(webSocket, request));
    }
    const say = (socket: WebSocket, channel: number, text: string): void =>
      socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text)]));

    it('show both outputs and pass the exit code on', async () => {
      let protocol = '';
      onWebSocket((socket, { url }) => {
        protocol = socket.protocol;
        say(socket, 1, '');
        say(socket, 1, `${url}\n`);
        say(socket, 2, 'complaint\n');
        say(socket, 3, exit(42));
        socket.close();
      });
      const { code, out, err } = await ctl(['exec', 'one', '--', 'sh', '-c', 'a b']);
      expect(code).to.equal(42);
      expect(out).to.equal('/exec/default/one/main?command=sh&command=-c&command=a+b&error=1&output=1\n');
      expect(err).to.equal('complaint\ncommand terminated with exit code 42\n');
      expect(protocol).to.equal('v4.channel.orch.io');
    });

    it('take the old form of a command with a warning, and the first of several containers', async () => {
      onWebSocket((socket) => {
        say(socket, 3, success);
        socket.close();
      });
      const { code, err } = await ctl(['exec', 'two', 'date']);
      expect(code).to.equal(0);
      expect(err).to.equal(
        `ctl exec [POD] [COMMAND] is DEPRECATED and will be removed in a future version. Use ctl exec [POD] -- [COMMAND] instead.\n${describeHint('two')}`,
      );
    });

    it('say why there is none', async () => {
      agent.onUpgrade = (_, socket) =>
        socket.end('HTTP/1.1 500 No\r\nContent-Length: 9\r\nConnection: close\r\n\r\nno stream');
      for (const flags of [[], ['-i']]) {
        const { code, err } = await ctl(['exec', ...flags, 'one', '--', 'date']);
        expect(code).to.equal(1);
        expect(err).to.include('no stream');
      }
    });

    it('say what is likely wrong when the other side spells product names otherwise', async () => {
      const protocol = createDialect('kubernetes').spell('v4.channel.orch.io');
      const foreign = new WebSocketServer({ noServer: true, handleProtocols: () => protocol });
      agent.onUpgrade = (request, socket, head) => foreign.handleUpgrade(request, socket, head, () => {});
      for (const line of ['exec one -- date', 'attach one']) {
        const { code, err } = await ctl(line.split(' '));
        expect(code).to.equal(1);
        expect(err).to.include(
          `Unable to connect to the server: the server speaks ${protocol}, this client v4.channel.orch.io; the server likely spells product names otherwise: try --dialect=kubernetes\n`,
        );
      }
    });

    it('fail when the connection is lost', async () => {
      onWebSocket((socket) => {
        say(socket, 1, 'begun\n');
        setImmediate(() => socket.terminate());
      });
      const { code, out, err } = await ctl(['exec', 'one', '--', 'date']);
      expect({ code, out, err }).to.deep.equal({
        code: 1,
        out: 'begun\n',
        err: 'error: lost connection to pod\n',
      });
    });

    it('pass input on to its end', async () => {
      let peer: SpdyPeer | undefined;
      agent.onUpgrade = (request, socket, head) => {
        expect(request.headers['x-stream-protocol-version']).to.equal('v4.channel.orch.io');
        expect(request.url).to.equal('/exec/default/one/main?command=cat&error=1&input=1&output=1');
        peer = acceptSpdy(socket, head);
        void (async () => {
          const stdin = await peer.stream({ streamType: 'stdin' });
          const stdout = await peer.stream({ streamType: 'stdout' });
          const stderr = await peer.stream({ streamType: 'stderr' });
          const error = await peer.stream({ streamType: 'error' });
          stdout.send(`got ${await stdin.ended}`);
          stdout.end();
          stderr.sendReset();
          error.send(exit(5));
          error.end();
        })();
      };
      const result = await ctl(['exec', '-i', 'one', '--', 'cat'], { stdin: 'all of it' });
      expect(result).to.deep.equal({
        code: 5,
        out: 'got all of it',
        err: 'command terminated with exit code 5\n',
      });
    });

    it('join a terminal, tell its sizes, and give it back', async () => {
      const terminal = new FakeTerminal({ columns: 80, rows: 24 });
      const heard: string[] = [];
      onWebSocket((socket, { url }) => {
        expect(url).to.equal('/attach/default/terminal/main?input=1&output=1&tty=1');
        expect(terminal.isRaw).to.equal(true);
        socket.on('message', (message: Buffer) => {
          heard.push(`${message[0]} ${message.subarray(1).toString()}`);
          if (heard.length === 2) terminal.resize({ columns: 132, rows: 50 });
          if (heard.length === 3) terminal.keys.write('\u0003');
          if (heard.length !== 4) return;
          say(socket, 3, success);
          socket.close();
        });
      });
      const result = await ctl(['attach', '-it', 'terminal', '-c', 'main'], { input: terminal });
      expect(result).to.deep.equal({
        code: 0,
        out: "Session ended, resume using 'ctl attach terminal -c main -i -t' command when the pod is running\n",
        err: "If you don't see a command prompt, try pressing enter.\n",
      });
      expect(heard).to.deep.equal([
        '4 {"Width":81,"Height":25}',
        '4 {"Width":80,"Height":24}',
        '4 {"Width":132,"Height":50}',
        '0 \u0003',
      ]);
      expect(terminal.isRaw).to.equal(false);
      expect(terminal.keys.destroyed).to.equal(true);
    });

    it('give the terminal back when there is no session', async () => {
      const terminal = new FakeTerminal({ columns: 80, rows: 24 });
      agent.onUpgrade = (_, socket) => socket.end('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n');
      const { code } = await ctl(['exec', '-it', 'one', '--', 'sh'], { input: terminal });
      expect(code).to.equal(1);
      expect(terminal.isRaw).to.equal(false);
    });

    it('do without a terminal where there is none', async () => {
      agent.onUpgrade = (request, socket) =>
        socket.end(`HTTP/1.1 500 No\r\nContent-Length: ${request.url?.length}\r\n\r\n${request.url}`);
      const exec = await ctl(['exec', '-it', 'one', '--', 'sh']);
      expect(exec.err).to.match(
        /^Unable to use a TTY - input is not a terminal or the right kind of file\n.*command=sh&error=1&input=1&output=1/,
      );
      const alone = await ctl(['exec', '-t', 'one', '--', 'sh']);
      expect(alone.err).to.match(/command=sh&error=1&output=1/);
      const terminal = new FakeTerminal({ columns: 80, rows: 24 });
      const attach = await ctl(['attach', '-it', 'one'], { input: terminal });
      expect(attach.err).to.include(
        `${describeHint('one')}Unable to use a TTY - container main did not allocate one\nIf you don't`,
      );
    });
  });

  describe('port-forward', () => {
    /** Runs the command until the test ends it; gives what it printed so far. */
    async function forward(
      argv: readonly string[],
      act: (port: number) => Promise<void>,
    ): Promise<RunResult> {
      const interrupt = new AbortController();
      const printed: string[] = [];
      const done = ctl(['port-forward', ...argv], {
        signal: interrupt.signal,
        onPrint: (text) => printed.push(text),
      });
      const port = await eventually(async () => {
        const found = /127\.0\.0\.1:(\d+) ->/.exec(printed.join(''))?.[1];
        return found === undefined ? undefined : Number(found);
      });
      await act(port);
      interrupt.abort();
      return done;
    }
    let peer: SpdyPeer;
    beforeEach(() => {
      agent.onUpgrade = (request, socket, head) => {
        expect(request.headers['x-stream-protocol-version']).to.equal('portforward.orch.io');
        peer = acceptSpdy(socket, head);
      };
    });

    it('leads connections to the pod, each direction to its own end', async () => {
      const { code, out, err } = await forward(['one', ':80', '--address=127.0.0.1'], async (port) => {
        for (const [requestID, text] of ['first', 'second'].entries()) {
          const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
          socket.end(text);
          const wanted = { port: '80', requestID: String(requestID) };
          const error = await peer.stream({ ...wanted, streamType: 'error' });
          const data = await peer.stream({ ...wanted, streamType: 'data' });
          expect(await data.ended).to.equal(text);
          data.send(`answer to ${text}`);
          data.end();
          error.end();
          expect(await readAll(socket)).to.equal(`answer to ${text}`);
        }
      });
      expect(err).to.equal('');
      expect(code).to.equal(0);
      expect(out).to.match(
        /^Forwarding from 127\.0\.0\.1:(\d+) -> 80\nHandling connection for \1\nHandling connection for \1\n$/,
      );
    });

    it('says what goes wrong with one connection, and goes on', async () => {
      const { code, err } = await forward(['one', ':80', '--address=127.0.0.1'], async (port) => {
        const socket = connect({ port, host: '127.0.0.1' });
        const error = await peer.stream({ streamType: 'error' });
        const data = await peer.stream({ streamType: 'data' });
        error.send('nobody listens');
        error.end();
        data.end();
        expect(await readAll(socket)).to.equal('');
      });
      expect(code).to.equal(0);
      expect(err).to.match(/^an error occurred forwarding \d+ -> 80: nobody listens\n$/);
    });

    it('gives up what a local client has left', async () => {
      const { err } = await forward(['one', ':80', '--address=127.0.0.1'], async (port) => {
        const socket = connect({ port, host: '127.0.0.1' });
        const data = await peer.stream({ streamType: 'data' });
        socket.resetAndDestroy();
        await data.reset;
      });
      expect(err).to.equal('');
    });

    it('ends when the connection is lost', async () => {
      const { code, err } = await forward(['one', ':80', '--address=127.0.0.1'], async () => {
        peer.destroy();
        await eventually(async () => agent.connectionCount() === 0 || undefined);
      });
      expect({ code, err }).to.deep.equal({ code: 1, err: 'error: lost connection to pod\n' });
    });

    it('goes on with the ports that it can listen on', async () => {
      await forward(['one', ':80', '--address=127.0.0.1'], async (taken) => {
        const both = await forward(['one', `${taken}:80`, ':81', '--address=127.0.0.1'], async () => {});
        expect(both.code).to.equal(0);
        expect(both.err).to.equal(
          `Unable to listen on port ${taken}: Listeners failed to create with the following errors: [unable to create listener: Error listen tcp4 127.0.0.1:${taken}: bind: address already in use]\n`,
        );
        const none = await ctl(['port-forward', 'one', `${taken}:80`, '--address=127.0.0.1']);
        expect(none.code).to.equal(1);
        expect(none.err).to.include(`unable to listen on any of the requested ports: [{${taken} 80}]`);
      });
    });

    it('says why there is no way to the pod', async () => {
      agent.onUpgrade = (_, socket) => socket.end('HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nno stream');
      const { code, err } = await ctl(['port-forward', 'one', '80']);
      expect(code).to.equal(1);
      expect(err).to.match(/^error: error upgrading connection: .*no stream/);
    });
  });
});

function acceptSpdy(socket: Duplex, head: Buffer): SpdyPeer {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\nConnection: Upgrade\r\n\r\n');
  return new SpdyPeer(socket, head);
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'end');
  socket.destroy();
  return text;
}

/** A terminal whose keys and size a test chooses. */
class FakeTerminal implements StreamedInput {
  readonly isTerminal = true;
  readonly keys = new PassThrough();
  isRaw = false;
  #size: TerminalSize;
  #onResize = (): void => {};

  constructor(size: TerminalSize) {
    this.#size = size;
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    this.#onResize();
  }

  open(): Readable {
    return this.keys;
  }

  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }

  size(): TerminalSize {
    return this.#size;
  }

  onResize(callback: () => void): () => void {
    this.#onResize = callback;
    return () => {
      this.#onResize = () => {};
    };
  }
}
