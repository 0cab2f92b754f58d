import { expect } from 'chai';
import { runNodeAgent } from '../../../src/app/run-node-agent.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';

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
      exists: () => true,
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
    expect(narrow.out).to.include('\u001b[36m--max-pods=int32\u001b[39m');
    const bare = await run(['-h'], { outputColumns: 60, env: { NO_COLOR: '1' } });
    expect(bare.out.includes('\u001b')).to.equal(false);
    const prose = bare.out.split('\n').filter((line) => /^ {6}\S/.test(line) && line.trim().includes(' '));
    expect(Math.max(...prose.map((line) => line.length))).to.be.at.most(60);
  });

  it('helps, complains and answers in the words of the dialect', async () => {
    const { spell } = createDialect('kubernetes');
    const flag = '--dialect=kubernetes';
    const help = (await run([flag, '--help'])).out;
    const flags = help.match(/^ {2}(?:-\w, )?--[\w-]+/gm) ?? [];
    expect(flags.length).to.be.greaterThan(100);
    expect(flags.filter((text) => /orch|nodeagent|legacyrt/.test(text))).to.deep.equal([]);
    expect(help).to.include(`Usage:\n  ${spell('nodeagent')} [flags]\n`);
    expect(help).to.include(`  --${spell('orch-api-qps')}=int32\n`);
    expect(help).to.include(`${spell('RotateNodeAgentServerCertificate')}=true|false (BETA`);
    expect(help).to.include(`Values ${spell('legacyrt')}, remote. (default ${spell('legacyrt')})`);
    // Folders are where they are in every dialect.
    expect(help).to.include('(default /var/lib/nodeagent)');

    const wrong = await run([flag, '--max-pod=3']);
    expect(wrong.err).to.equal(
      `${spell('Usage:\n  nodeagent [flags]\nSee nodeagent --help')}\n\nunknown flag: --max-pod (did you mean --max-pods?)\n`,
    );
    expect((await run([flag, '--config=/c'])).err).to.equal(
      `${spell('failed to load NodeAgent config file')} /c, error ${spell('failed to read nodeagent config file')} "/c", error: open /c: no such file or directory (--config)\n`,
    );
    expect((await run([flag, '--version'])).out).to.equal(`${spell('Orch')} v1.20.2\n`);
    const printed = (await run([flag, `--${spell('orch-api-qps')}=3`, '--print-config'])).out;
    expect(printed).to.include(`${spell('orchAPIQPS')}: 3 # from --${spell('orch-api-qps')}\n`);
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
