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
      /^ok {4}store: memory with \d+ objects in [\d.]+ KiB, history after revision \d+$/m,
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
    expect(out).to.match(/^note {2}store: could not be read: forbidden: /m);
    expect(out).to.match(
      /^note {2}objects: nobody looked for what does not go among \S+, .* and \d+ more, which could not be read: .* is forbidden: /m,
    );
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
    expect(out).to.match(
      /^note {2}service gone\/gone, which the server calls: could not be read: services "gone" is forbidden: /m,
    );
    expect(out).to.not.match(/^ok {4}validating/m);
  });

  it('finds webhooks that nobody answers, and certificates that nobody believes', async () => {
    const service = { namespace: 'default', name: 'hook' };
    const webhook = (name: string, clientConfig: object, more: object = {}) => ({
      name,
      clientConfig,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      rules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['nothing'] },
      ],
      ...more,
    });
    const objects = [
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'hook' }, spec: { ports: [{ port: 443 }] } },
      {
        apiVersion: 'admissionregistration.orch.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'm' },
        webhooks: [
          webhook('empty.test.example', { service, caBundle: btoa(server.server.authorityPem) }),
          webhook('port.test.example', { service: { ...service, port: 8443 } }, { failurePolicy: 'Ignore' }),
          webhook('junk.test.example', { url: 'https://127.0.0.1:1', caBundle: btoa('junk') }),
        ],
      },
    ];
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    expect((await server.ctl(['create', '-f', '-'], { stdin: list })).err).to.equal('');
    const about = 'mutatingwebhookconfiguration/m';
    const refused = 'requests to create, update nothing are refused';
    const before = (await server.ctl(['doctor'])).out;
    expect(before).to.include(
      `FAIL  ${about}: webhook empty.test.example needs service default/hook, which has no endpoints: ${refused}\n      next: ctl why service/hook -n default\n`,
    );
    expect(before).to.include(
      `warn  ${about}: webhook port.test.example needs service default/hook, which has no port 8443: it is passed over\n`,
    );
    expect(before).to.include(`note  ${about}: webhook port.test.example has no CA bundle: `);
    expect(before).to.include(
      `FAIL  ${about}: the CA bundle of webhook junk.test.example holds no certificate in PEM: ${refused}\n`,
    );
    const endpoints = {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'hook' },
      subsets: [{ addresses: [{ ip: '10.9.8.7' }], ports: [{ port: 443 }] }],
    };
    await server.ctl(['create', '-f', '-'], { stdin: JSON.stringify(endpoints) });
    expect((await server.ctl(['doctor'])).out).to.not.include('empty.test.example');
    await server.ctl(['delete', 'mutatingwebhookconfiguration/m', 'service/hook', 'endpoints/hook']);
  });

  it('says who holds leases, and who does not renew them', async () => {
    const lease = (namespace: string, name: string, holderIdentity: string, ageMs: number) => ({
      apiVersion: 'coordination.orch.io/v1',
      kind: 'Lease',
      metadata: { namespace, name },
      spec: {
        holderIdentity,
        leaseDurationSeconds: 15,
        renewTime: new Date(Date.now() - ageMs).toISOString().replace('Z', '000Z'),
      },
    });
    const items = [
      lease('orch-system', 'orch-scheduler', 'one', 0),
      lease('orch-system', 'orch-controller-manager', 'two', 600_000),
      lease('default', 'operator', 'three', 600_000),
      lease('orch-node-lease', 'away', 'away', 600_000),
    ];
    const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    expect((await server.ctl(['create', '-f', '-'], { stdin })).err).to.equal('');
    const { code, out } = await server.ctl(['doctor']);
    expect(code).to.equal(1);
    expect(out).to.match(/^ok {4}lease\/orch-scheduler: one holds it, and renewed it \d+s ago$/m);
    expect(out).to.match(
      /^FAIL {2}lease\/orch-controller-manager: two holds it, and has not renewed it for 10m.*: no controllers run$/m,
    );
    expect(out).to.match(/^warn {2}lease\/operator: three holds it, and has not renewed it for 10m/m);
    expect(out).to.include('ctl delete lease/operator -n default\n');
    expect(out).to.match(/^FAIL {2}node\/away: its agent has not renewed its lease for 10m/m);
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
