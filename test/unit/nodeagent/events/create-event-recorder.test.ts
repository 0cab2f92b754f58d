import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { TransportError } from '../../../../src/client/rest/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { containerFieldPath, createEventRecorder } from '../../../../src/nodeagent/events/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { type FakeAnswer, fakeRestClient, refusal, type SentRequest } from '../fake-rest.ts';

describe('createEventRecorder', () => {
  const stops: AbortController[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop.abort();
  });

  function start(
    answers: (request: SentRequest) => FakeAnswer = () => ({ status: 201 }),
    qps = 0,
    burst = 1,
  ) {
    const sent: SentRequest[] = [];
    const clock = new ManualClock();
    const logger = createRecordingLogger();
    const stop = new AbortController();
    stops.push(stop);
    const client = fakeRestClient((request) => {
      sent.push(request);
      return answers(request);
    });
    const config = { eventQps: qps, eventBurst: burst };
    const { signal } = stop;
    const events = createEventRecorder({
      client,
      config,
      nodeName: 'n',
      dialect: orchDialect,
      clock,
      logger,
      signal,
    });
    return { events, sent, clock, logger, stop };
  }
  // Events look at the pod's metadata only.
  const pod = { metadata: { name: 'p', namespace: 'x', uid: 'u', resourceVersion: '7' } } as Pod;
  const about = { kind: 'pod', pod, fieldPath: containerFieldPath('initContainers', 'c') } as const;

  it('writes annotations with an event that is new', async () => {
    const { events, sent } = start();
    const annotations = { starved_resource: 'memory' };
    const event = { about, type: 'Warning', reason: 'Evicted', message: 'low', annotations } as const;
    events.record(event);
    events.record(event);
    await events.whenIdle();
    expect(sent.map(({ method }) => method)).to.deep.equal(['POST', 'PATCH']);
    expect(sent[0]?.body).to.have.nested.property('metadata.annotations').that.deep.equals(annotations);
    expect(sent[1]?.body).to.not.have.property('metadata');
  });

  it('writes what clients look for', async () => {
    const { events, sent } = start();
    events.record({ about, type: 'Normal', reason: 'Started', message: 'Started container c' });
    await events.whenIdle();
    expect(sent).to.deep.equal([
      {
        method: 'POST',
        path: '/api/v1/namespaces/x/events',
        contentType: 'application/json',
        body: {
          kind: 'Event',
          apiVersion: 'v1',
          metadata: { name: 'p.1', namespace: 'x' },
          involvedObject: {
            kind: 'Pod',
            namespace: 'x',
            name: 'p',
            uid: 'u',
            apiVersion: 'v1',
            resourceVersion: '7',
            fieldPath: 'spec.initContainers{c}',
          },
          reason: 'Started',
          message: 'Started container c',
          source: { component: 'nodeagent', host: 'n' },
          firstTimestamp: '1970-01-01T00:00:00Z',
          lastTimestamp: '1970-01-01T00:00:00Z',
          count: 1,
          type: 'Normal',
          eventTime: null,
          reportingComponent: '',
          reportingInstance: '',
        },
      },
    ]);
  });

  it('puts events of the node into the default namespace, its name for its uid', async () => {
    const { events, sent } = start();
    events.record({ about: { kind: 'node' }, type: 'Normal', reason: 'Starting', message: 'm' });
    await events.whenIdle();
    expect(sent[0]?.path).to.equal('/api/v1/namespaces/default/events');
    expect(sent[0]?.body).to.deep.include({ involvedObject: { kind: 'Node', name: 'n', uid: 'n' } });
  });

  it('counts a repeat on, and makes it anew when it is gone', async () => {
    const { events, sent } = start(({ method }) =>
      method === 'PATCH' ? refusal(404, 'NotFound') : { status: 201 },
    );
    const event = { about, type: 'Normal', reason: 'Pulled', message: 'm' } as const;
    events.record(event);
    events.record(event);
    await events.whenIdle();
    expect(sent.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      'POST /api/v1/namespaces/x/events',
      'PATCH /api/v1/namespaces/x/events/p.1',
      'POST /api/v1/namespaces/x/events',
    ]);
    expect(sent[1]).to.deep.include({ contentType: 'application/strategic-merge-patch+json' });
    expect(sent[1]?.body).to.deep.equal({ count: 2, lastTimestamp: '1970-01-01T00:00:00Z', message: 'm' });
    expect(sent[2]?.body).to.include({ count: 2 });
  });

  it('gives up what the server refuses, and goes on', async () => {
    const { events, sent, logger } = start(() => refusal(403, 'Forbidden'));
    for (const message of ['a', 'b']) events.record({ about, type: 'Warning', reason: 'Failed', message });
    await events.whenIdle();
    expect(sent).to.have.length(2);
    expect(logger.lines.map(({ level }) => level)).to.deep.equal(['error', 'error']);
  });

  it('tries again while the server cannot be reached', async () => {
    let failures = 2;
    const { events, sent, clock } = start(() =>
      failures-- > 0 ? new TransportError('refused', 'no', { host: 'api.test' }) : { status: 201 },
    );
    events.record({ about, type: 'Normal', reason: 'Started', message: 'm' });
    for (let round = 0; round < 2; round++) {
      while (clock.timerCount === 0) await new Promise(setImmediate);
      clock.advance(10_000);
    }
    await events.whenIdle();
    expect(sent).to.have.length(3);
  });

  it('keeps to its rate', async () => {
    const { events, sent, clock } = start(undefined, 2, 2);
    for (const message of ['a', 'b', 'c'])
      events.record({ about, type: 'Normal', reason: 'Started', message });
    while (clock.timerCount === 0) await new Promise(setImmediate);
    expect(sent).to.have.length(2);
    clock.advance(500);
    await events.whenIdle();
    expect(sent).to.have.length(3);
  });

  it('holds a thousand events and says once that it drops more', () => {
    const { events, logger } = start(undefined, 1, 1);
    for (let index = 0; index < 1200; index++) {
      const other = { ...pod, metadata: { ...pod.metadata, name: `p${index}` } };
      events.record({ about: { kind: 'pod', pod: other }, type: 'Normal', reason: 'Started', message: 'm' });
    }
    expect(logger.lines.filter(({ message }) => message.includes('queue full'))).to.have.length(1);
  });

  it('only logs without a server', async () => {
    const { signal } = new AbortController();
    const clock = new ManualClock();
    const config = { eventQps: 5, eventBurst: 10 };
    const dialect = createDialect('kubernetes');
    const logger = createRecordingLogger();
    const events = createEventRecorder({
      client: undefined,
      config,
      nodeName: 'n',
      dialect,
      clock,
      logger,
      signal,
    });
    events.record({ about, type: 'Normal', reason: 'Started', message: 'm' });
    await events.whenIdle();
    expect(logger.lines).to.deep.equal([]);
  });

  it('drops what is left when it is stopped', async () => {
    const { events, sent, stop } = start(undefined, 1, 1);
    for (const message of ['a', 'b']) events.record({ about, type: 'Normal', reason: 'Started', message });
    while (sent.length === 0) await new Promise(setImmediate);
    stop.abort();
    await events.whenIdle();
    expect(sent).to.have.length(1);
  });
});
