import { expect } from 'chai';
import { checkStore, checkStoreMetrics } from '../../../../src/ctl/doctor/check-store.ts';

const nowMs = Date.parse('2026-05-01T12:00:00Z');
const dayMs = 86_400_000;
const levels = (findings: readonly { readonly level: string }[]) => findings.map(({ level }) => level);

describe('checkStore', () => {
  const gibibyte = 1024 ** 3;
  const stats = (more: object) => ({
    driver: 'sqlite',
    objectCount: 2,
    sizeBytes: 2 * gibibyte,
    compactedRevision: 9,
    ...more,
  });
  const disk = (freeGibibytes: number, sizeGibibytes: number) => ({
    disk: { freeBytes: freeGibibytes * gibibyte, sizeBytes: sizeGibibytes * gibibyte },
  });

  it('compares the size with what is free on the disk', () => {
    const of = (free: number, size: number) => levels(checkStore(stats(disk(free, size)), nowMs))[1];
    expect([of(50, 100), of(11, 1000), of(9, 1000), of(4, 50), of(1, 5), of(0.1, 5)]).to.deep.equal([
      'ok',
      'ok',
      'warning',
      'warning',
      'warning',
      'failure',
    ]);
    expect(checkStore(stats(disk(1, 5)), nowMs)[1]?.message).to.equal(
      '1.0 GiB of 5.0 GiB are free on its disk: not enough for a backup or a check of it',
    );
  });

  it('says when history is shorter than was asked for, or never ends', () => {
    const of = (history: object) => checkStore(stats({ history }), nowMs).slice(1);
    const sinceMs = nowMs - 3_600_000;
    expect(of({ keptMs: dayMs, sinceMs, isCut: false })).to.deep.equal([]);
    expect(of({ keptMs: dayMs, sinceMs, isCut: true })[0]?.message).to.equal(
      'history goes back 60m of the 24h that it is kept for, as it took more bytes than it may',
    );
    expect(of({ keptMs: 0, sinceMs, isCut: false })[0]?.message).to.include('forgets no history');
  });

  it("warns of etcd's quota, also by metrics of other servers", () => {
    expect(levels(checkStore(stats({ driver: 'etcd' }), nowMs))).to.deep.equal(['ok', 'warning']);
    expect(levels(checkStore(stats({ driver: 'etcd', sizeBytes: gibibyte }), nowMs))).to.deep.equal(['ok']);
    const metric = (value: string) => `# HELP x\netcd_db_total_size_in_bytes{endpoint="a"} ${value}\n`;
    expect(levels(checkStoreMetrics(metric('1.8e+09')))).to.deep.equal(['ok', 'warning']);
    expect(checkStoreMetrics(metric('4096'))[0]?.message).to.equal('4.0 KiB');
    expect(checkStoreMetrics('up 1\n')).to.deep.equal([]);
  });
});
