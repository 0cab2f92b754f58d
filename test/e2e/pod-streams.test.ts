import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { AgentProcess } from '../replay/agent-process.ts';
import { ApiServer } from '../replay/api-server.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { testImages } from '../support/containerd-images.ts';
import { eventually } from '../support/eventually.ts';
import { requireReleaseClient } from '../support/release-client.ts';
import { requireContainerd } from '../support/require-containerd.ts';

const main = fileURLToPath(new URL('../../src/app/main.ts', import.meta.url));
const program = (...words: readonly string[]): string[] => [process.execPath, main, ...words];

const image = { image: testImages.busybox, imagePullPolicy: 'Never' };
const script =
  'echo served > /www/index.html; httpd -p 8080 -h /www; echo begun; while :; do sleep 1; echo on; done';
const podObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    // A name that leads to loopback, where the agent listens.
    nodeName: 'localhost',
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'http',
        ...image,
        command: ['sh', '-c', script],
        ports: [{ name: 'http', containerPort: 8080 }],
      },
      { name: 'cat', ...image, command: ['cat'], stdin: true },
    ],
  },
};

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe('streams of a pod that a node runs', function () {
  this.timeout(120_000);
  requireContainerd();
  let containerd: Containerd;
  let server: ApiServer;
  let agent: AgentProcess;
  let release = '';
  const clients: Record<string, () => string[]> = {
    ctl: () => [
      ...program('ctl', '--dialect=kubernetes'),
      `--orchconfig=${server.configPath}`,
      `--cache-dir=${join(containerd.folder, 'ctl')}`,
    ],
    "the release's own client": () => [
      release,
      `--kubeconfig=${server.configPath}`,
      `--cache-dir=${join(containerd.folder, 'release')}`,
    ],
  };

  before(async function () {
    release = await requireReleaseClient(this);
    containerd = await startContainerd();
    const folder = join(containerd.folder, 'api');
    await mkdir(folder, { recursive: true });
    server = await ApiServer.start(program('orch', 'serve', '--dialect=kubernetes'), folder);
    const agentFolder = join(containerd.folder, 'agent');
    await mkdir(agentFolder, { recursive: true });
    agent = new AgentProcess({
      containerd,
      folder: agentFolder,
      command: program('nodeagent', '--dialect=kubernetes'),
      flags: [
        `--orchconfig=${server.configPath}`,
        '--hostname-override=localhost',
        `--client-ca-file=${join(folder, 'data/pki/ca.crt')}`,
        '--authorization-mode=Webhook',
      ],
    });
    await agent.start();
    const created = start('ctl', ['create', '-f', '-']);
    created.stdin?.end(JSON.stringify(podObject));
    expect((await finish(created)).code).to.equal(0);
    await eventually(
      async () => {
        const path = 'jsonpath={.status.phase}{range .status.containerStatuses[*]}{.ready}{end}';
        return (await run('ctl', ['get', 'pod', 'web', '-o', path])).out === 'Runningtruetrue' || undefined;
      },
      { patienceMs: 60_000 },
    );
  });
  after(async () => {
    await agent?.stop();
    await server?.stop();
    await containerd?.[Symbol.asyncDispose]();
  });

  function start(client: string, args: readonly string[]): ChildProcess {
    const [file = '', ...leading] = clients[client]?.() ?? [];
    return spawn(file, [...leading, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin', HOME: containerd.folder },
    });
  }

  async function run(client: string, args: readonly string[], input = ''): Promise<Run> {
    const child = start(client, args);
    child.stdin?.on('error', () => {}); // it may end without having read
    child.stdin?.end(input);
    return finish(child);
  }

  it('end ctl quietly when nobody reads them any more', async () => {
    for (const args of [
      ['logs', '-f', 'web', '-c', 'http'],
      ['attach', 'web', '-c', 'http'],
      ['exec', 'web', '-c', 'http', '--', 'yes'],
    ]) {
      const child = start('ctl', args);
      const complaints = read(child.stderr);
      await untilPrinted(child, /\n/);
      child.stdout?.destroy();
      const [code] = await once(child, 'close');
      expect(code, await complaints).to.equal(141);
      expect(await complaints).to.not.match(/EPIPE/);
    }
  });

  for (const client of Object.keys(clients)) {
    describe(client, function () {
      // The release's client was built with a newer Go than its time, and can crash on maps.
      if (client !== 'ctl') this.retries(1);

      it('follows a log', async () => {
        const child = start(client, ['logs', '-f', 'web', '-c', 'http']);
        await untilPrinted(child, /^begun\non\n/);
        child.kill();
        await once(child, 'close');
      });

      it('passes outputs and the exit code of a command on', async () => {
        const command = ['sh', '-c', 'echo out; echo err >&2; exit 7'];
        const { code, out, err } = await run(client, ['exec', 'web', '-c', 'http', '--', ...command]);
        expect({ code, out }).to.deep.equal({ code: 7, out: 'out\n' });
        expect(err).to.equal('err\ncommand terminated with exit code 7\n');
      });

      it('passes megabytes of input on to its end, and of output', async () => {
        const lines = Array.from({ length: 300_000 }, (_, index) => `${index}\n`).join('');
        const { code, out } = await run(client, ['exec', '-i', 'web', '-c', 'http', '--', 'cat'], lines);
        expect(code).to.equal(0);
        expect(out === lines, `${out.length} bytes came back`).to.equal(true);
      });

      it('says why a command cannot be run', async () => {
        const { code, err } = await run(client, ['exec', 'web', '-c', 'http', '--', 'no-such-program']);
        expect(code).to.equal(1);
        expect(err).to.match(
          /^error: Internal error occurred: error executing command in container: .*not found/,
        );
      });

      it('attaches', async () => {
        const child = start(client, ['attach', '-i', 'web', '-c', 'cat']);
        child.stdin?.write(`${client}\n`);
        await untilPrinted(child, new RegExp(`^${client}\n`));
        child.kill();
        await once(child, 'close');
      });

      it('copies a folder to a container and back', async () => {
        const [there, back] = [
          join(containerd.folder, `there-${client}`),
          join(containerd.folder, `back-${client}`),
        ];
        await mkdir(join(there, 'deep'), { recursive: true });
        await writeFile(join(there, 'deep', 'large'), Buffer.alloc(3_000_000, client));
        await writeFile(join(there, 'small'), 'small');
        const remote = `web:/tmp/${client.length}`;
        const into = await run(client, ['cp', there, remote, '-c', 'http']);
        expect(into).to.deep.equal({ code: 0, out: '', err: '' });
        const from = await run(client, ['cp', `default/${remote}`, back, '-c', 'http']);
        expect(from.code, from.err).to.equal(0);
        expect(await readFile(join(back, 'deep', 'large'))).to.deep.equal(Buffer.alloc(3_000_000, client));
        expect(await readFile(join(back, 'small'), 'utf8')).to.equal('small');
        // The release's client may end well before it hears of the failure.
        if (client !== 'ctl') return;
        const missing = await run(client, ['cp', 'web:/tmp/missing', back, '-c', 'http']);
        expect(missing.code).to.equal(1);
        expect(missing.err).to.include('command terminated with exit code 1');
      });

      it('forwards a port', async () => {
        const child = start(client, ['port-forward', 'web', ':http', '--address=127.0.0.1']);
        const [, port] = await untilPrinted(child, /^Forwarding from 127\.0\.0\.1:(\d+) -> 8080\n/);
        expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).to.equal('served\n');
        const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true });
        socket.end('GET / HTTP/1.0\r\n\r\n');
        expect(await text(socket)).to.match(/^HTTP\/1\.\d 200 OK\r\n.*served\n$/s);
        child.kill('SIGINT');
        const [code] = await once(child, 'close');
        expect(code).to.equal(0);
      });
    });
  }
});

async function finish(child: ChildProcess): Promise<Run> {
  const [out, err] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, err };
}

const read = (stream: NodeJS.ReadableStream | null): Promise<string> =>
  stream === null ? Promise.resolve('') : text(stream);

/** Waits for what a client prints. @throws Error with what it printed when it ends before. */
async function untilPrinted(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let printed = '';
  let complaints = '';
  child.stderr?.on('data', (part) => {
    complaints += part;
  });
  for await (const part of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += part;
    const found = pattern.exec(printed);
    if (found !== null) return found;
  }
  throw new Error(`it ended: ${printed}${complaints}`);
}
