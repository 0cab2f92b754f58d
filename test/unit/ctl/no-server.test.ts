import { expect } from 'chai';
import { run } from './support/run.ts';

describe('ctl without a server', () => {
  const get = (...flags: string[]) => run(['get', 'ns', ...flags], { env: { ORCHCONFIG: '/dev/null' } });

  it('says what to do when none is configured', async () => {
    expect((await get()).err).to.equal(
      'error: no server is configured: start one with orch serve, which writes ~/.orch/config, or name one with --server or --orchconfig\n',
    );
    expect((await get('--dialect=kubernetes')).err).to.equal(
      'The connection to the server localhost:8080 was refused - did you specify the right host or port?\n',
    );
  });

  it('says why one is not reached, in the words of the release', async () => {
    expect((await get('--server=https://127.0.0.1:1')).err).to.equal(
      'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?\n',
    );
    expect((await get('--server=https://nowhere.invalid')).err).to.equal(
      'Unable to connect to the server: dial tcp: lookup nowhere.invalid: no such host\n',
    );
  });

  it('refuses words below cluster-info that it does not know, instead of doing something else', async () => {
    const { code, out, err } = await run(['cluster-info', 'dmp'], { env: { ORCHCONFIG: '/dev/null' } });
    expect([code, out]).to.deep.equal([1, '']);
    expect(err).to.match(/^error: unknown command "dmp"\n/);
  });
});
