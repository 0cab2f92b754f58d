import { expect } from 'chai';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import type { EventLimit } from '../../../../src/server/admission/index.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { chainOf, pod, write } from './fixtures.ts';

interface Occurrence {
  readonly namespace?: string;
  readonly user?: string;
  readonly component?: string;
  readonly about?: string;
  readonly isDryRun?: boolean;
}

function eventOf({ namespace = 'default', component = 'c', about = 'o' }: Occurrence): ApiObject {
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: 'e', namespace },
    source: { component, host: 'h' },
    involvedObject: { kind: 'Pod', namespace, name: about, uid: 'u', apiVersion: 'v1' },
  } as ApiObject;
}

describe('EventRateLimit', () => {
  let clock: ManualClock;
  beforeEach(() => {
    clock = new ManualClock();
  });

  /** Writes events by turns; 'ok' or the message of the refusal for each. */
  const writer = (limits: readonly Partial<EventLimit>[]) => {
    const eventLimits = limits.map(
      (limit): EventLimit => ({
        type: 'Server',
        qps: 1,
        burst: 1,
        cacheSize: 10,
        ...limit,
      }),
    );
    const chain = chainOf({ plugins: ['EventRateLimit'], options: { eventLimits, clock } });
    return async (occurrence: Occurrence = {}): Promise<string> => {
      const { user: name = 'u', isDryRun = false } = occurrence;
      const user = { name, uid: '', groups: [], extra: {} };
      const attributes = write({ resourceName: 'events', object: eventOf(occurrence), user, isDryRun });
      try {
        await chain.validate(attributes);
        return 'ok';
      } catch (error) {
        return (error as Error).message;
      }
    };
  };
  const refused = (type: string, key: string) =>
    `Too many requests: limit reached on type ${type} for key ${key}`;

  it('lets through a burst, and then as many as come back with time', async () => {
    const send = writer([{ burst: 2, qps: 2 }]);
    expect([await send(), await send(), await send()]).to.deep.equal(['ok', 'ok', refused('Server', '')]);
    clock.advance(400);
    expect(await send()).to.equal(refused('Server', ''));
    clock.advance(100);
    expect([await send(), await send()]).to.deep.equal(['ok', refused('Server', '')]);
  });

  const scopes: readonly (readonly [EventLimit['type'], Occurrence, string])[] = [
    ['Namespace', { namespace: 'other' }, 'default'],
    ['User', { user: 'bob' }, 'u'],
    ['SourceAndObject', { component: 'd' }, 'chPoddefaultouv1'],
    ['SourceAndObject', { about: 'p' }, 'chPoddefaultouv1'],
  ];
  for (const [type, other, key] of scopes) {
    it(`tells scopes of ${type} apart by ${Object.keys(other)}`, async () => {
      const send = writer([{ type }]);
      expect([await send(), await send(other)]).to.deep.equal(['ok', 'ok']);
      expect(await send()).to.equal(refused(type, key));
    });
  }

  it('forgets the scope that was used longest ago beyond the size of its cache', async () => {
    const send = writer([{ type: 'Namespace', cacheSize: 2 }]);
    for (const namespace of ['a', 'b']) await send({ namespace });
    expect(await send({ namespace: 'a' })).to.equal(refused('Namespace', 'a'));
    expect(await send({ namespace: 'c' })).to.equal('ok');
    expect(await send({ namespace: 'a' })).to.equal(refused('Namespace', 'a'));
    expect(await send({ namespace: 'b' })).to.equal('ok');
  });

  it('asks all limits and tells the last one that is reached', async () => {
    const send = writer([{ type: 'Server' }, { type: 'Namespace' }, { type: 'User', burst: 9 }]);
    await send();
    expect(await send()).to.equal(refused('Namespace', 'default'));
    expect(await send({ namespace: 'other' })).to.equal(refused('Server', ''));
    // The refused one counted for its namespace.
    expect(await send({ namespace: 'other' })).to.equal(refused('Namespace', 'other'));
  });

  it('answers 429 without telling when to come back', async () => {
    const chain = chainOf({
      plugins: ['EventRateLimit'],
      options: { eventLimits: [{ type: 'Server', qps: 1, burst: 1, cacheSize: 1 }], clock },
    });
    const attributes = write({ resourceName: 'events', object: eventOf({}) });
    await chain.validate(attributes);
    expect(() => chain.validate(attributes))
      .to.throw()
      .with.property('status')
      .deep.include({
        code: 429,
        reason: 'TooManyRequests',
      });
  });

  it('counts neither dry runs nor other objects', async () => {
    const send = writer([{}]);
    for (let turn = 0; turn < 3; turn++) expect(await send({ isDryRun: true })).to.equal('ok');
    const chain = chainOf({
      plugins: ['EventRateLimit'],
      options: { eventLimits: [{ type: 'Server', qps: 1, burst: 1, cacheSize: 1 }], clock },
    });
    for (let turn = 0; turn < 3; turn++) await chain.validate(write({ object: pod() }));
    expect(await send()).to.equal('ok');
  });

  it('cannot be made without limits', () => {
    expect(() => chainOf({ plugins: ['EventRateLimit'], options: { clock } })).to.throw(RangeError);
  });
});
