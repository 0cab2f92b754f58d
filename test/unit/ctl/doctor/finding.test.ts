import { expect } from 'chai';
import { objectChecks } from '../../../../src/ctl/doctor/check-objects.ts';
import {
  checkCertificate,
  checkClock,
  checkHealth,
  checkVersions,
} from '../../../../src/ctl/doctor/finding.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const nowMs = Date.parse('2026-05-01T12:00:00Z');
const dayMs = 86_400_000;
const levels = (findings: readonly { readonly level: string }[]) => findings.map(({ level }) => level);

describe('checkCertificate', () => {
  it('warns in the last month, and fails after the end', () => {
    const at = (days: number) => checkCertificate('x', nowMs + days * dayMs, nowMs).level;
    expect([at(31), at(29), at(-1)]).to.deep.equal(['ok', 'warning', 'failure']);
    expect(checkCertificate('x', nowMs + 2.5 * dayMs, nowMs).message).to.equal(
      'is good until 2026-05-04T00:00:00.000Z, for 2 days',
    );
  });
});

describe('checkClock', () => {
  it('allows for what an answer takes, and for whole seconds', () => {
    expect(checkClock(nowMs, nowMs, nowMs + 50).level).to.equal('ok');
    expect(checkClock(nowMs, nowMs + 999, nowMs + 60_000).level).to.equal('ok');
  });

  it('fails when either clock is more than ten seconds ahead', () => {
    expect(checkClock(nowMs + 12_000, nowMs, nowMs + 1000)).to.include({
      level: 'failure',
      message: "differs from the server's by 11 s",
    });
    expect(checkClock(nowMs - 12_000, nowMs, nowMs + 10).level).to.equal('failure');
  });
});

describe('checkVersions', () => {
  it('lets one minor release lie between two programs', () => {
    const of = (found: string) => checkVersions('x', found, 'v1.20.2+orch.0.1.0').level;
    expect(['v1.20.9', 'v1.19.0', 'v1.21.1', 'v1.18.0', 'v1.22.0', 'v2.20.0', 'dev'].map(of)).to.deep.equal([
      'ok',
      'ok',
      'ok',
      'warning',
      'warning',
      'warning',
      'warning',
    ]);
  });
});

describe('checkHealth', () => {
  it('names what is not ready', () => {
    expect(checkHealth('[+]ping ok\nreadyz check passed\n').level).to.equal('ok');
    expect(
      checkHealth('[+]ping ok\n[-]etcd failed: reason withheld\n[-]poststart failed: x\n').message,
    ).to.equal('is not ready: etcd, poststart');
  });
});

describe('objectChecks', () => {
  const facts = {
    dialect: orchDialect,
    nowMs,
    serverVersion: 'v1.20.2',
    services: new Set(['shop/hook']),
  };
  const check = (type: string, object: Record<string, unknown>, more: object = {}) => {
    const judge = objectChecks[type];
    if (judge === undefined) throw new Error(`nobody judges ${type}`);
    const { metadata } = object as { readonly metadata?: object };
    return judge(
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

  it('finds webhooks whose service is gone, and says what follows', () => {
    const type = 'validatingwebhookconfigurations.admissionregistration';
    const hook = (name: string, failurePolicy?: string) => ({
      webhooks: [{ name: 'h.test', failurePolicy, clientConfig: { service: { namespace: 'shop', name } } }],
    });
    expect(check(type, hook('hook'))).to.deep.equal([]);
    expect(levels(check(type, hook('gone')))).to.deep.equal(['failure']);
    expect(levels(check(type, hook('gone', 'Ignore')))).to.deep.equal(['warning']);
    expect(check(type, { webhooks: [{ name: 'h', clientConfig: { url: 'https://x' } }] })).to.deep.equal([]);
    expect(check(type, hook('gone'), { services: undefined })).to.deep.equal([]);
  });
});
