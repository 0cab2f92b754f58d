import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { AgentProcess } from '../../replay/agent-process.ts';
import { playExchange } from '../../replay/exchange.ts';
import { readCases } from '../../replay/kinds.ts';
import type { Containerd } from '../../support/containerd.ts';
import { eventually } from '../../support/eventually.ts';
import { freePorts } from '../../support/free-ports.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

describe('the replayer of recorded agents', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  it('knows kinds by what recordings say, and complains about others', async () => {
    const kinds: Readonly<Record<string, object>> = {
      pods: { deliver: 'file', steps: [] },
      restart: { exitOnTerm: 0, pods: {} },
      network: { expect: { afterConfiguration: {} } },
      registration: { node: 'n', flags: [], expect: {} },
      certificates: { name: 'serving', expect: { request: {} } },
    };
    for (const [kind, recording] of Object.entries(kinds)) {
      await writeFile(join(directory.path, `${kind}.json`), JSON.stringify(recording));
    }
    const found = await readCases(directory.path);
    expect(found.map(({ name, kind }) => [name, kind])).to.have.deep.members(
      Object.keys(kinds).map((kind) => [kind, kind]),
    );
    await writeFile(join(directory.path, 'strange.json'), '{"about": "nobody plays this"}');
    const failure = await readCases(directory.path).catch(String);
    expect(failure).to.include('strange.json: a recording of no known kind');
  });

  /** An agent that never listens. */
  const agentOf = (options: Partial<ConstructorParameters<typeof AgentProcess>[0]> = {}): AgentProcess =>
    new AgentProcess({
      // Nothing else of it is asked for.
      containerd: { endpoint: 'unix:///none.sock', cgroupParent: '' } as Containerd,
      folder: directory.path,
      command: ['true'],
      flags: [],
      cgroup: '',
      ...options,
    });

  it('takes a refused connection for what was recorded, and for nothing else', async () => {
    const agent = agentOf();
    const [secure = 0, readOnly = 0, healthz = 0] = await freePorts(3);
    agent.ports = { secure, readOnly, healthz };
    const play = (status: number) =>
      playExchange(
        {
          request: { name: 'r', path: '/healthz', port: 'readonly' },
          response: { status, headers: {}, body: '' },
        },
        { agent, certificates: new Map(), podUid: '' },
      );
    expect(await play(0)).to.deep.equal([]);
    expect(await play(200)).to.have.length(1);
  });

  it('puts its own folder in place in flags and the files that they name', async () => {
    const program = join(directory.path, 'agent.sh');
    const out = join(directory.path, 'arguments');
    await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" >${out}.new && mv ${out}.new ${out}\n`);
    await chmod(program, 0o755);
    const folder = join(directory.path, 'own');
    await mkdir(folder);
    const files = { 'etc/config.yaml': 'staticPodPath: {tmp}/manifests\n' };
    await agentOf({ folder, command: [program], flags: ['--config={tmp}/etc/config.yaml'], files }).launch();
    const given = await eventually(() => readFile(out, 'utf8').catch(() => undefined));
    expect(given.split('\n')).to.include(`--config=${folder}/etc/config.yaml`);
    expect(await readFile(join(folder, 'etc/config.yaml'), 'utf8')).to.equal(
      `staticPodPath: ${folder}/manifests\n`,
    );
  });
});
