import type { ServiceError } from '@grpc/grpc-js';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { mostSpecificFailure, Outage } from '../../../../src/storage/etcd/outage.ts';

// What the library reports, as far as the driver looks at it.
const failure = (details: string) => Object.assign(new Error(details), { code: 14, details }) as ServiceError;
const noLeader = failure('etcdserver: no leader');
const unreachable = failure('No connection established. Last error: connect ECONNREFUSED 127.0.0.1:1');
const untrusted = failure(
  'No connection established. Last error: Error: unable to verify the first certificate',
);

describe('Outage', () => {
  const begin = () => {
    const time = { ms: 0 };
    const outage = new Outage(() => time.ms);
    /** Members say every half second, for so long, that they have no leader. */
    const leaderless = (ms: number): void => {
      for (const end = time.ms + ms; time.ms < end; time.ms += 500) outage.note(noLeader);
      outage.note(noLeader);
    };
    return { time, outage, leaderless };
  };

  it('waits for the end of an election', () => {
    const { outage, leaderless } = begin();
    leaderless(1500);
    expect(outage.isHopeless([noLeader, noLeader])).to.equal(false);
    expect(outage.attemptMs(2500)).to.equal(2500);
  });

  it('gives up when there is no leader for longer than that, and one member says so', () => {
    const { outage, leaderless } = begin();
    leaderless(2000);
    expect(outage.isHopeless([unreachable, noLeader])).to.equal(true);
    expect(outage.isHopeless([unreachable, unreachable])).to.equal(false);
    expect(outage.attemptMs(2500)).to.equal(1000);
  });

  it('is over when a member served', () => {
    const { outage, leaderless } = begin();
    leaderless(3000);
    outage.end();
    leaderless(1000);
    expect(outage.isHopeless([noLeader])).to.equal(false);
  });

  it('counts the time in which members do not answer at all', () => {
    const { time, outage } = begin();
    outage.note(noLeader);
    time.ms += 2500;
    outage.note(unreachable);
    expect(outage.isHopeless([noLeader, unreachable])).to.equal(true);
  });

  it('counts only from when a member said that it has no leader', () => {
    const { time, outage } = begin();
    outage.note(unreachable);
    time.ms += 2500;
    outage.note(noLeader);
    expect(outage.isHopeless([noLeader, unreachable])).to.equal(false);
  });

  it('does not count a time in which nobody asked', () => {
    const { time, outage, leaderless } = begin();
    leaderless(1000);
    time.ms += 60_000;
    leaderless(500);
    expect(outage.isHopeless([noLeader])).to.equal(false);
  });

  it('gives up at once when no member and this process agree about certificates', () => {
    const { outage } = begin();
    expect(outage.isHopeless([untrusted, untrusted])).to.equal(true);
    expect(outage.isHopeless([untrusted, unreachable])).to.equal(false);
  });
});

describe('tellingFailure', () => {
  it('prefers what says why: no leader, then certificates, then the last', () => {
    expect(mostSpecificFailure([noLeader, untrusted, unreachable], unreachable)).to.equal(noLeader);
    expect(mostSpecificFailure([untrusted, unreachable], unreachable)).to.equal(untrusted);
    expect(mostSpecificFailure([unreachable], unreachable)).to.equal(unreachable);
  });
});
