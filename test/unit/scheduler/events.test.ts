import { expect } from 'chai';
import { silentLogger } from '../../../src/base/index.ts';
import type { RestRequest } from '../../../src/client/rest/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { PodEvents } from '../../../src/scheduler/events.ts';
import { ManualClock } from '../storage/manual-clock.ts';
import { podOf } from './fixtures.ts';

const path = '/apis/events.orch.io/v1/namespaces/default/events';

describe('PodEvents', () => {
  let clock: ManualClock;
  let sent: RestRequest[];
  let refusal: Error | undefined;
  let events: PodEvents;
  beforeEach(() => {
    clock = new ManualClock();
    sent = [];
    refusal = undefined;
    events = new PodEvents({
      client: {
        async send(request) {
          sent.push(request);
          if (refusal !== undefined) throw refusal;
          return { status: 201, headers: {}, body: Buffer.alloc(0) };
        },
      },
      dialect: orchDialect,
      clock,
      logger: silentLogger,
      host: 'h',
      signal: new AbortController().signal,
    });
  });
  const { pod } = podOf('p', { spec: { containers: [], schedulerName: 'mine' } });
  const other = podOf('victim').pod;
  const failed = { about: pod, type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling' } as const;
  const bodies = () => sent.map(({ body }) => body as Record<string, unknown>);
  const settled = () => new Promise(setImmediate);

  it('writes what happened, in the name of the scheduler that the pod chose', async () => {
    events.record({ ...failed, note: 'no room' });
    await settled();
    expect(sent.map((request) => `${request.method} ${request.path}`)).to.deep.equal([`POST ${path}`]);
    expect(bodies()[0]).to.deep.include({
      eventTime: '1970-01-01T00:00:00.000000Z',
      reportingController: 'mine',
      reportingInstance: 'mine-h',
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note: 'no room',
    });
    expect(bodies()[0]?.regarding).to.include({ kind: 'Pod', name: 'p', uid: pod.metadata.uid });
  });

  it('names the other pod, whose scheduler it was', async () => {
    events.record({ ...failed, about: other, related: pod, reason: 'Preempted', note: 'x' });
    await settled();
    expect(bodies()[0]).to.include({ reportingController: 'mine' });
    expect(bodies()[0]?.related).to.include({ name: 'p' });
  });

  it('tells of repeats once, whatever their words, and anew of each version of a pod', async () => {
    for (const note of ['a', 'a', 'b']) events.record({ ...failed, note });
    const changed = { ...pod, metadata: { ...pod.metadata, resourceVersion: '77' } };
    events.record({ ...failed, about: changed, note: 'b' });
    await settled();
    expect(sent.map(({ method }) => method)).to.deep.equal(['POST', 'PATCH', 'POST']);
    expect(sent[1]?.path).to.match(/\/events\/p\.[0-9a-f]+$/);
    expect(bodies()[1]?.series).to.include({ count: 1 });
    expect(bodies()[2]).to.include({ note: 'b' });
  });

  it('begins anew after a while', async () => {
    events.record({ ...failed, note: 'a' });
    clock.advance(360_000);
    events.record({ ...failed, note: 'a' });
    await settled();
    expect(sent.map(({ method }) => method)).to.deep.equal(['POST', 'POST']);
    expect(bodies()[0]?.metadata).not.to.deep.equal(bodies()[1]?.metadata);
  });

  it('shortens what is too long for an event', async () => {
    events.record({ ...failed, note: 'n'.repeat(2000) });
    await settled();
    expect(bodies()[0]?.note)
      .to.have.length(1024)
      .and.match(/n \.\.\.$/);
  });

  it('gives up what is refused, and goes on', async () => {
    refusal = new Error('no');
    events.record({ ...failed, note: 'a' });
    await settled();
    refusal = undefined;
    events.record({ ...failed, note: 'b' });
    await settled();
    expect(sent.length).to.equal(2);
  });
});
