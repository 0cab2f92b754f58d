import { expect } from 'chai';
import { adminClientConfig } from '../../../src/app/admin-config.ts';
import { runServe } from '../../../src/app/run-serve.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';

const clientConfig = adminClientConfig({
  url: 'https://127.0.0.1:1',
  authorityPem: 'A',
  certificatePem: 'C',
  privateKeyPem: 'K',
});

describe('runServe', () => {
  it('helps in the words of the dialect, but for what is the same in all', async () => {
    const { spell } = createDialect('kubernetes');
    const written: string[] = [];
    const code = await runServe(['--help', '--dialect=kubernetes'], {
      io: { env: {}, home: undefined, isRoot: false, out: (text) => void written.push(text), err() {} },
      start: () => Promise.reject(new Error('must not start')),
      untilStopped: () => Promise.reject(new Error('must not run')),
    });
    const help = written.join('');
    expect(code).to.equal(0);
    expect(help).to.include(`  --${spell('nodeagent-client-key')}=FILE\n`);
    expect(help.match(/^ {2}--[\w-]*(?:orch|nodeagent)[\w-]*/gm)).to.equal(null);
    expect(help).to.include(`https://${spell('orch')}.default.svc.`);
    expect(help).to.include(`${spell('DynamicNodeAgentConfig')}=true|false`);
    expect(help).to.include('Usage:\n  orch serve [flags]\n');
    for (const path of ['/var/lib/orch for root', '$XDG_DATA_HOME/orch or', '~/.orch/config']) {
      expect(help).to.include(path);
    }
    expect(help).to.include('One of: orch, kubernetes. (default orch)');
  });

  it('hears signals from before the server starts, so that none is lost once it is ready', async () => {
    const happened: string[] = [];
    const code = await runServe(['--ephemeral'], {
      io: {
        env: {},
        home: undefined,
        isRoot: false,
        out: () => void happened.push('ready'),
        err() {},
      },
      async start() {
        happened.push('start');
        return { url: 'https://127.0.0.1:1', clientConfig, stop: async () => void happened.push('stop') };
      },
      async untilStopped() {
        happened.push('listen');
        return 'SIGTERM';
      },
    });
    expect(code).to.equal(0);
    expect(happened).to.deep.equal(['listen', 'start', 'ready', 'stop']);
  });

  it('says where objects are and where keys are when these are two places', async () => {
    const directory = await makeTemporaryDirectory();
    const lines: string[] = [];
    await runServe(
      [`--data-dir=${directory.path}`, '--etcd-servers=http://h:1', '--write-orchconfig=false'],
      {
        io: { env: {}, home: undefined, isRoot: false, out: (text) => void lines.push(text), err() {} },
        start: async () => ({ url: 'https://127.0.0.1:1', clientConfig, stop: async () => {} }),
        untilStopped: async () => 'SIGTERM',
      },
    );
    await directory.remove();
    expect(lines[0]).to.include(`(objects in etcd at http://h:1, keys in ${directory.path})`);
  });

  const complaintsOf = async (...flags: string[]): Promise<string> => {
    const complaints: string[] = [];
    await runServe(['--ephemeral', ...flags], {
      io: { env: {}, home: undefined, isRoot: false, out() {}, err: (text) => void complaints.push(text) },
      start: async () => ({ url: 'https://127.0.0.1:1', clientConfig, stop: async () => {} }),
      untilStopped: async () => 'SIGTERM',
    });
    return complaints.join('');
  };
  const authority = '--nodeagent-certificate-authority=/ca.crt';

  it('warns of what is deprecated', async () => {
    const complaints = await complaintsOf(authority, '--feature-gates=HyperVContainer=true');
    expect(complaints).to.match(/^warning: Setting deprecated .*HyperVContainer=true.*\n/);
    expect(complaints).to.match(
      /\nwarning: feature gate HyperVContainer=true has no effect in orch serve: .*\n$/,
    );
  });

  it('warns when it does not verify the certificates of agents', async () => {
    expect(await complaintsOf()).to.match(/^warning: .*--nodeagent-certificate-authority is not set\n$/);
    expect(await complaintsOf('--dialect=kubernetes')).to.contain('--kubelet-certificate-authority');
    expect(await complaintsOf(authority)).to.equal('');
  });
});
