import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { checkObject } from '../../../../src/ctl/doctor/check-objects.ts';
import type { ClusterFacts } from '../../../../src/ctl/doctor/facts.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { issueLink } from '../../../support/certificate-chain.ts';

const nowMs = Date.parse('2026-05-01T12:00:00Z');
const dayMs = 86_400_000;
const levels = (findings: readonly { readonly level: string }[]) => findings.map(({ level }) => level);

describe('checkObject', () => {
  let authority: string;
  before(async () => {
    authority = (await issueLink({ name: 'authority' })).certificatePem;
  });

  const facts: ClusterFacts = {
    dialect: orchDialect,
    nowMs,
    serverVersion: 'v1.20.2',
    backends: new Map(),
    lostNodes: new Set(['node/lost']),
    worksDone: new Set(),
  };
  const check = (type: string, object: Record<string, unknown>, more: object = {}) => {
    const { metadata } = object as { readonly metadata?: object };
    return checkObject(
      type,
      { apiVersion: 'v1', kind: 'Any', ...object, metadata: { name: 'a', ...metadata } },
      { ...facts, ...more },
    );
  };
  const conditions = (...list: object[]) => ({ status: { conditions: list } });

  it('finds nodes that are not ready, under pressure or of another release', () => {
    const ready = { type: 'Ready', status: 'True' };
    const info = (nodeAgentVersion: string) => ({ nodeInfo: { nodeAgentVersion } });
    const well = { conditions: [ready], ...info('v1.20.2') };
    expect(check('nodes.', { status: well })).to.deep.equal([]);
    expect(check('nodes.', { status: { ...well, ...info('v1.17.0') } })[0]?.message).to.equal(
      'v1.17.0 beside a server of v1.20.2',
    );
    const full = { type: 'DiskPressure', status: 'True', message: 'disk is full' };
    expect(check('nodes.', { kind: 'Node', ...conditions(ready, full) })).to.deep.equal([
      {
        level: 'failure',
        about: 'node/a',
        message: 'DiskPressure: disk is full',
        next: 'ctl describe node/a',
      },
    ]);
    expect(check('nodes.', {})[0]?.message).to.equal('is not ready: its agent never reported');
    const lost = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: '' };
    expect(check('nodes.', conditions(lost))[0]?.message).to.equal('is not ready: NodeStatusUnknown');
  });

  it('finds what waits for more than ten minutes', () => {
    const since = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
    for (const [minutes, count] of [
      [9, 0],
      [11, 1],
    ] as const) {
      const deleted = { metadata: { deletionTimestamp: since(minutes) } };
      expect(check('namespaces.', deleted)).to.have.length(count);
      const asked = { metadata: { creationTimestamp: since(minutes) } };
      expect(check('certificatesigningrequests.certificates', asked)).to.have.length(count);
      expect(
        check('certificatesigningrequests.certificates', { ...asked, ...conditions({ type: 'Approved' }) }),
      ).to.have.length(0);
    }
    expect(check('namespaces.', {})).to.deep.equal([]);
  });

  it('finds interfaces of others that do not answer, and definitions that are not served', () => {
    const type = 'apiservices.apiregistration';
    expect(check(type, conditions({ type: 'Available', status: 'True' }))).to.deep.equal([]);
    expect(
      check(type, conditions({ type: 'Available', status: 'False', message: 'no' }))[0]?.message,
    ).to.equal('is not available: no');
    const [names, established] = ['NamesAccepted', 'Established'].map((each) => ({
      type: each,
      status: 'True',
    }));
    const definitions = 'customresourcedefinitions.apiextensions';
    expect(check(definitions, conditions(names ?? {}, established ?? {}))).to.deep.equal([]);
    expect(levels(check(definitions, conditions(names ?? {})))).to.deep.equal(['failure']);
  });

  const hooks = 'validatingwebhookconfigurations.admissionregistration';
  const service = { namespace: 'shop', name: 'hook' };
  const backend = (spec: object, subsets: object[] = []) =>
    new Map([
      [
        'shop/hook',
        {
          kind: 'read',
          service: { apiVersion: 'v1', kind: 'Service', metadata: {}, spec },
          endpoints: { apiVersion: 'v1', kind: 'Endpoints', metadata: {}, subsets },
        },
      ],
    ]);

  it('finds webhooks whose service is gone, and says what follows', () => {
    const hook = (failurePolicy?: string, more: object = { service }) => ({
      webhooks: [{ name: 'h.test', failurePolicy, clientConfig: { caBundle: btoa(authority), ...more } }],
    });
    const gone = { backends: new Map([['shop/hook', { kind: 'read' }]]) };
    expect(levels(check(hooks, hook(), gone))).to.deep.equal(['failure']);
    expect(levels(check(hooks, hook('Ignore'), gone))).to.deep.equal(['warning']);
    expect(check(hooks, hook('Fail', { url: 'https://x' }), gone)).to.deep.equal([]);
    expect(check(hooks, hook(), { backends: new Map([['shop/hook', { kind: 'unread' }]]) })).to.deep.equal(
      [],
    );
    const of = (spec: object, subsets?: object[]) =>
      check(hooks, hook(), { backends: backend(spec, subsets) })[0]?.message;
    const ports = [{ port: 443 }];
    expect(of({ ports }, [{ addresses: [{}] }])).to.equal(undefined);
    expect(of({ type: 'ExternalName' })).to.equal(undefined);
    expect(of({ ports: [{ port: 80 }] })).to.include('which has no port 443: ');
    expect(of({ ports }, [{ notReadyAddresses: [{}, {}] }])).to.include(
      'which has no ready endpoints, and 2 that are not: requests that it is for are refused',
    );
  });

  it('says which requests a webhook stands in the way of', () => {
    const rule = (operations: string[], resources: string[]) => ({ operations, resources });
    const of = (...rules: object[]) =>
      check(
        hooks,
        { webhooks: [{ name: 'h', rules, clientConfig: { service } }] },
        { backends: new Map([['shop/hook', { kind: 'read' }]]) },
      )[0]?.message.replace(/.*not there: /, '');
    expect(of(rule(['CREATE'], ['pods']))).to.equal('requests to create pods are refused');
    expect(of(rule(['*'], ['*/*']), {})).to.equal(
      'requests to change anything, and those of 1 more rules, are refused',
    );
  });

  it('looks at the certificates by which those are believed that the server calls', () => {
    const of = (caBundle: string, at = nowMs) =>
      check(
        'apiservices.apiregistration',
        { spec: { group: 'g', version: 'v1', service, caBundle } },
        { nowMs: at, backends: backend({ ports: [{ port: 443 }] }, [{ addresses: [{}] }]) },
      ).map(({ level, message }) => `${level} ${message.replace(/\d{4}-[^ ,:]+(:[^ ,:]+)*Z/, 'T')}`);
    const endMs = Date.parse(new X509Certificate(authority).validTo);
    expect(of(btoa(authority), endMs - 60 * dayMs)).to.deep.equal([]);
    expect(of(btoa(authority), endMs - 5 * dayMs)).to.deep.equal([
      'warning its CA bundle is good until T, for 5 days',
    ]);
    const effect = 'g/v1 is not served, and namespaces cannot be deleted';
    expect(of(btoa(authority), endMs + dayMs)).to.deep.equal([
      `failure its CA bundle has expired at T: ${effect}`,
    ]);
    expect(of(btoa('x'))).to.deep.equal([`failure its CA bundle holds no certificate in PEM: ${effect}`]);
    expect(of('')[0]).to.match(/^note it has no CA bundle/);
  });

  it('tells of the converter of a definition, which only matters when versions differ', () => {
    const definition = (...served: boolean[]) => ({
      spec: {
        versions: served.map((each) => ({ served: each })),
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { service, caBundle: btoa(authority) } },
        },
      },
      ...conditions({ type: 'Established', status: 'True' }, { type: 'NamesAccepted', status: 'True' }),
    });
    const of = (...served: boolean[]) =>
      levels(
        check('customresourcedefinitions.apiextensions', definition(...served), {
          backends: new Map([['shop/hook', { kind: 'read' }]]),
        }),
      );
    expect(of(true, true)).to.deep.equal(['failure']);
    expect(of(true, false)).to.deep.equal(['warning']);
  });

  it('says who holds leases, and what follows when nobody does', () => {
    const lease = (name: string, namespace: string, seconds: number, holderIdentity = 'h') => ({
      kind: 'Lease',
      metadata: { name, namespace },
      spec: {
        holderIdentity,
        leaseDurationSeconds: 15,
        renewTime: new Date(nowMs - seconds * 1000).toISOString(),
      },
    });
    const of = (object: Record<string, unknown>, ...done: string[]) =>
      check('leases.coordination', object, { worksDone: new Set(done) }).map(
        ({ level, message }) => `${level} ${message}`,
      );
    const office = (seconds: number, holder?: string) =>
      lease('orch-controllers', 'orch-system', seconds, holder);
    expect(of(office(20), 'controllers', 'scheduler')).to.deep.equal([
      'ok h holds it, and renewed it 20s ago',
    ]);
    expect(of(office(30))).to.deep.equal([
      'failure h holds it, and has not renewed it for 30s: no controllers run, and no pods are placed on nodes',
    ]);
    expect(of(office(30), 'controllers', 'scheduler')).to.deep.equal([
      'warning h holds it, and has not renewed it for 30s',
    ]);
    expect(of(office(30, ''), 'controllers')).to.deep.equal([
      'failure nobody holds it: no pods are placed on nodes',
    ]);
    expect(of(office(30, ''), 'controllers', 'scheduler')).to.deep.equal([]);
    expect(of(lease('orch-controllers', 'shop', 5))).to.deep.equal([]);
    const never = { ...office(20), spec: { holderIdentity: 'h', leaseDurationSeconds: 15 } };
    expect(of(never, 'scheduler')).to.deep.equal(['failure nobody holds it: no controllers run']);
    // No name of a member that every object has.
    expect(of(lease('constructor', 'orch-system', 5))).to.deep.equal([]);
    expect(of(lease('n', 'orch-node-lease', 60))[0]).to.match(/^failure its agent has not renewed/);
    expect(of(lease('n', 'orch-node-lease', 40 - 16))).to.deep.equal([]);
    expect(of(lease('lost', 'orch-node-lease', 60))).to.deep.equal([]);
  });
});
