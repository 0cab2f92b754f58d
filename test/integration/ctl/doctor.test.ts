import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

describe('ctl doctor', () => {
  let server: CtlServer;
  before(async () => {
    server = await startCtlServer(['--controllers=none']);
  });
  after(() => server.stop());

  it('finds nothing wrong with a server that is well', async () => {
    const { code, out, err } = await server.ctl(['doctor']);
    expect([code, err], out).to.deep.equal([0, '']);
    for (const line of [
      /^ok {4}client certificate: is good until /m,
      /^ok {4}server certificate: is good until /m,
      /^ok {4}clock: agrees with that of the server$/m,
      /^ok {4}server: is ready$/m,
      /^ok {4}namespaces: nothing is wrong with the \d that there are$/m,
    ])
      expect(out).to.match(line);
  });

  it('fails when something is wrong, and says what to do', async () => {
    const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'lost' } });
    await server.ctl(['create', '-f', '-'], { stdin });
    const { code, out } = await server.ctl(['doctor']);
    expect(code).to.equal(1);
    expect(out).to.include(
      'FAIL  node/lost: is not ready: its agent never reported\n      next: ctl describe node/lost\n',
    );
    const data = await server.ctl(['doctor', '-o', 'json']);
    expect(data.code).to.equal(1);
    const { findings } = JSON.parse(data.out);
    expect(findings.at(0)).to.have.keys('level', 'about', 'message');
  });

  it('names what may not be read', async () => {
    const { out } = await server.ctl(['doctor', '--as=nobody']);
    expect(out).to.match(/^note {2}nodes: could not be read: nodes is forbidden: /m);
  });

  it('does not say that webhooks are well whose services may not be read', async () => {
    const hook = {
      name: 'h.test.example',
      clientConfig: { service: { namespace: 'gone', name: 'gone' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      rules: [{ apiGroups: ['x'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['y'] }],
    };
    const stdin = JSON.stringify({
      apiVersion: 'admissionregistration.orch.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'h' },
      webhooks: [hook],
    });
    expect((await server.ctl(['create', '-f', '-'], { stdin })).err).to.equal('');
    expect((await server.ctl(['doctor'])).out).to.include('needs service gone/gone, which is not there');
    const types = '--resource=validatingwebhookconfigurations.admissionregistration.orch.io';
    await server.ctl(['create', 'clusterrole', 'hooks', '--verb=list', types]);
    await server.ctl(['create', 'clusterrolebinding', 'hooks', '--clusterrole=hooks', '--user=some']);
    const { out } = await server.ctl(['doctor', '--as=some']);
    expect(out).to.match(/^note {2}services of webhooks: could not be read: /m);
    expect(out).to.not.match(/^ok {4}validating/m);
  });

  it('says what it can without a server', async () => {
    const { code, out } = await server.ctl(['doctor', '-s', 'https://127.0.0.1:1']);
    expect(code).to.equal(1);
    expect(out).to.match(/^ok {4}client certificate: /m);
    expect(out).to.match(/^FAIL {2}server: /m);
    const file = join(server.folder, 'junk');
    await writeFile(file, 'junk');
    const junk = await server.ctl(['doctor', '-s', 'https://127.0.0.1:1', `--certificate-authority=${file}`]);
    expect(junk.out).to.match(/^FAIL {2}authority of the server: is no certificate: /m);
  });
});
