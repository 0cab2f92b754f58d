import { expect } from 'chai';
import { runNodeAgent } from '../../../src/app/run-node-agent.ts';

async function run(
  argv: readonly string[],
  more: { readonly outputColumns?: number; readonly env?: Record<string, string> } = {},
) {
  const texts = { out: '', err: '' };
  const exitCode = await runNodeAgent(
    argv,
    {
      env: {},
      home: undefined,
      isRoot: false,
      out: (text) => {
        texts.out += text;
      },
      err: (text) => {
        texts.err += text;
      },
      ...more,
    },
    {
      workingDirectory: '/',
      hasCgroup: () => false,
      readFile: (path) => {
        throw new Error(`open ${path}: no such file or directory`);
      },
      run: async ({ config, version }) => {
        texts.out += `${version} runs ${config.maxPods} pods`;
        return 7;
      },
    },
  );
  return { exitCode, ...texts };
}

describe('runNodeAgent', () => {
  it('checks its options, says what is worth saying, and runs with them', async () => {
    const { exitCode, out, err } = await run(['--max-pods=3', '--cgroup-driver=x']);
    expect([exitCode, out]).to.deep.equal([7, 'v1.20.2 runs 3 pods']);
    expect(err.split('\n').map((line) => line.split(' ')[0])).to.deep.equal([
      'Flag',
      'Flag',
      'warning:',
      'hint:',
      '',
    ]);
  });

  it('ends with code 255 when anything is wrong, and shows the usage when the line could not be read', async () => {
    const wrongLine = await run(['--max-pod=3']);
    expect(wrongLine.exitCode).to.equal(255);
    expect(wrongLine.err).to.equal(
      'Usage:\n  nodeagent [flags]\nSee nodeagent --help\n\nunknown flag: --max-pod (did you mean --max-pods?)\n',
    );
    const wrongValue = await run(['--port=0', '--lock-file=/l']);
    expect(wrongValue.exitCode).to.equal(255);
    expect(wrongValue.err).to.match(/^Flag --port has been deprecated.*\ninvalid configuration: port/);
    expect((await run(['--client-ca-file=/ca'])).exitCode).to.equal(255);
  });

  it('answers --help in the width of the terminal, with colour unless NO_COLOR says otherwise', async () => {
    const plain = await run(['--help']);
    expect([plain.exitCode, plain.err, plain.out.includes('\u001b')]).to.deep.equal([0, '', false]);
    const narrow = await run(['-h'], { outputColumns: 60 });
    expect(narrow.out).to.include('\u001b[36m--max-pods=int32\u001b[0m');
    const bare = await run(['-h'], { outputColumns: 60, env: { NO_COLOR: '1' } });
    expect(bare.out.includes('\u001b')).to.equal(false);
    const prose = bare.out.split('\n').filter((line) => /^ {6}\S/.test(line) && line.trim().includes(' '));
    expect(Math.max(...prose.map((line) => line.length))).to.be.at.most(60);
  });

  it('answers --version, plainly and raw', async () => {
    expect((await run(['--version'])).out).to.equal('Orch v1.20.2\n');
    expect(JSON.parse((await run(['--version=raw'])).out)).to.include({ api: 'v1.20.2' });
  });

  it('prints the configuration without looking for its files', async () => {
    const { exitCode, out } = await run(['--print-config', '--client-ca-file=/ca']);
    expect(exitCode).to.equal(0);
    expect(out).to.match(/^apiVersion: nodeagent.config.orch.io\/v1beta1\n/);
    expect(out).to.include('clientCAFile: "/ca" # from --client-ca-file\n');
  });
});
