import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

// The answers are those of the client of release 1.20 to the same objects.
describe('ctl wait', () => {
  let server: CtlServer;
  const ctl = async (...argv: string[]) => {
    const { code, out, err } = await server.ctl(argv);
    return { code, out, err };
  };
  before(async () => {
    server = await startCtlServer(['--controllers=none']);
    await ctl('create', 'configmap', 'c', '--from-literal=k=v');
  });
  after(() => server.stop());

  it('says what is wrong', async () => {
    expect((await ctl('wait', 'configmap/c')).err).to.equal('error: unrecognized condition: ""\n');
    expect((await ctl('wait', '--for=condition=A', 'configmap/no')).err).to.equal(
      'Error from server (NotFound): configmaps "no" not found\n',
    );
    expect((await ctl('wait', '--for=delete', 'configmap/no')).err).to.equal(
      'error: no matching resources found\n',
    );
    expect((await ctl('wait', '--for=condition=A', 'configmap', '-l', 'a=b')).err).to.equal(
      'error: no matching resources found\n',
    );
  });

  it('looks once without a time, and gives up when the time is over', async () => {
    const late = { code: 1, out: '', err: 'error: timed out waiting for the condition on configmaps/c\n' };
    expect(await ctl('wait', '--for=condition=A', 'configmap/c', '--timeout=0s')).to.deep.equal(late);
    expect(await ctl('wait', '--for=delete', 'configmap/c', '--timeout=10ms')).to.deep.equal(late);
    expect((await ctl('wait', '--for=jsonpath={.data.k}=v', 'configmap/c', '--timeout=0s')).out).to.equal(
      'configmap/c condition met\n',
    );
  });

  it('sees a field change, and an object go', async () => {
    const changed = ctl('wait', '--for=jsonpath={.data.k}=w', 'configmap', 'c');
    await ctl('patch', 'configmap', 'c', '--type=merge', '-p', '{"data":{"k":"w"}}');
    expect(await changed).to.deep.equal({ code: 0, out: 'configmap/c condition met\n', err: '' });
    const gone = ctl('wait', '--for=delete', 'configmap/c');
    await ctl('delete', 'configmap', 'c', '--wait=false');
    // The wait may have begun when the object was gone already.
    expect(['configmap/c condition met\n', '']).to.include((await gone).out);
  });
});
