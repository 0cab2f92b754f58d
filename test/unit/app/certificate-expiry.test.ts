import { expect } from 'chai';
import { expiringCertificates, watchExpiry } from '../../../src/app/certificate-expiry.ts';
import { makeAuthority } from '../../../src/server/pki/index.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const dayMs = 86_400_000;
const startMs = Date.UTC(2030, 0, 1);
const make = async (lifetimeMs: number) => ({
  name: 'serving',
  pem: (await makeAuthority({ commonName: 'a', nowMs: startMs, lifetimeMs })).certificatePem,
});

describe('expiringCertificates', () => {
  const cases: [lifetimeDays: number, ageDays: number, daysLeft: number | undefined][] = [
    [365, 0, undefined],
    [365, 334.9, undefined],
    [365, 335.1, 29],
    [365, 364.5, 0],
    [365, 365.5, -1],
    [365, 400, -35],
    [9, 5.9, undefined],
    [9, 6.1, 2],
    [9, 10, -1],
  ];
  for (const [lifetimeDays, ageDays, daysLeft] of cases) {
    const what = daysLeft === undefined ? 'no word' : `${daysLeft} days left`;
    it(`has ${what} of ${lifetimeDays} days after ${ageDays}`, async () => {
      const found = expiringCertificates([await make(lifetimeDays * dayMs)], startMs + ageDays * dayMs);
      expect(found.map((one) => one.daysLeft)).to.deep.equal(daysLeft === undefined ? [] : [daysLeft]);
      expect(found.map((one) => one.isExpired)).to.deep.equal(daysLeft === undefined ? [] : [daysLeft < 0]);
    });
  }
});

describe('watchExpiry', () => {
  it('tells at once and every day of what is there then, until it is stopped', async () => {
    const clock = new ManualClock();
    clock.advance(startMs + 340 * dayMs - clock.nowMs());
    const logger = createRecordingLogger();
    const old = await make(365 * dayMs);
    const fresh = await make(700 * dayMs);
    let current = old;
    const stop = watchExpiry({ certificates: () => [current], clock, logger });
    const first = {
      level: 'error',
      message: 'certificate expires soon',
      fields: {
        certificate: 'serving',
        subject: 'CN=a',
        expiresAt: '2031-01-01T00:00:00.000Z',
        daysLeft: 25,
      },
    };
    expect(logger.lines).to.deep.equal([first]);
    clock.advance(30 * dayMs);
    const told = logger.lines.map(({ message, fields }) => [message, fields.daysLeft]);
    expect(told).to.have.lengthOf(31);
    expect(told.at(-1)).to.deep.equal(['certificate has expired', -5]);
    current = fresh;
    clock.advance(dayMs);
    expect(logger.lines).to.have.lengthOf(31);
    current = old;
    stop();
    clock.advance(dayMs);
    expect(logger.lines).to.have.lengthOf(31);
  });
});
