import { expect } from 'chai';
import { adminClientConfig } from '../../../src/app/admin-config.ts';
import { runServe } from '../../../src/app/run-serve.ts';

const clientConfig = adminClientConfig({
  url: 'https://127.0.0.1:1',
  authorityPem: 'A',
  certificatePem: 'C',
  privateKeyPem: 'K',
});

describe('runServe', () => {
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
});
