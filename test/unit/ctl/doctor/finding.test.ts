import { expect } from 'chai';
import {
  checkCertificate,
  checkClock,
  checkHealth,
  checkVersions,
} from '../../../../src/ctl/doctor/finding.ts';

const nowMs = Date.parse('2026-05-01T12:00:00Z');
const dayMs = 86_400_000;

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
