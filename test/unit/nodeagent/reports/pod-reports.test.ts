import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Pod, PodStatus } from '../../../../src/apis/types/core-v1.ts';
import { createRestClient, type Transport, type WireRequest } from '../../../../src/client/rest/index.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';
import { createPodReports, type PodReports } from '../../../../src/nodeagent/reports/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { createRecordingLogger, type RecordingLogger } from '../../../support/recording-logger.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

/** One request that waits for a test's answer. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  answer(status: number, body: unknown): void;
}

const apiPod = (status: PodStatus = { phase: 'Pending' }, resourceVersion = '5'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'a',
    namespace: 'default',
    uid: 'u1',
    resourceVersion,
    annotations: { 'orch.io/config.source': 'api' },
  },
  spec: { containers: [], nodeName: 'node1' },
  status,
});
const staticPod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 's-node1',
    namespace: 'default',
    uid: 'hash1',
    annotations: { 'orch.io/config.source': 'file', 'orch.io/config.hash': 'hash1' },
  },
  spec: { containers: [], nodeName: 'node1' },
  status: { phase: 'Pending' },
};
const failure = (code: number, reason: string) => ({ kind: 'Status', status: 'Failure', code, reason });

describe('createPodReports', () => {
  let asked: Asked[];
  let clock: ManualClock;
  let logger: RecordingLogger;
  let reports: PodReports;

  beforeEach(() => {
    asked = [];
    clock = new ManualClock();
    logger = createRecordingLogger();
    const connection = { server: 'http://127.0.0.1:1', tls: {}, auth: {} };
    const client = createRestClient({ connection, transport: hold, clock });
    const nodeUid = () => 'n1';
    reports = createPodReports({
      client,
      nodeName: 'node1',
      nodeUid,
      dialect,
      clock,
      logger,
      random: () => 1,
    });
  });
  afterEach(() => reports[Symbol.asyncDispose]());

  /** Keeps each request until the test answers it, or the reporter gives it up. */
  const hold: Transport = ({ method, url, body, signal }: WireRequest) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      asked.push({
        method,
        path: new URL(url).pathname.replace('/api/v1/namespaces/default/pods', ''),
        body: body === undefined ? undefined : JSON.parse(String(body)),
        answer: (status, content) => resolve(answerOf(status, content)),
      });
    });
  /** The next request that was not looked at. */
  const next = (): Promise<Asked> => eventually(async () => asked.shift());
  const mirrorOf = (uid: string): Pod => ({
    ...staticPod,
    metadata: {
      ...staticPod.metadata,
      uid,
      resourceVersion: '7',
      annotations: { ...staticPod.metadata.annotations, 'orch.io/config.mirror': 'hash1' },
    },
  });

  it('sends one patch for many statuses that come while one is under way', async () => {
    reports.setStatus(apiPod(), { phase: 'Running' });
    const first = await next();
    expect(first).to.deep.include({
      method: 'PATCH',
      path: '/a/status',
      body: { metadata: { uid: 'u1' }, status: { phase: 'Running' } },
    });
    for (const message of ['one', 'two', 'three']) reports.setStatus(apiPod(), { phase: 'Running', message });
    first.answer(200, apiPod({ phase: 'Running' }, '6'));
    const second = await next();
    expect(second.body).to.have.deep.property('status', { message: 'three' });
    second.answer(200, apiPod({ phase: 'Running', message: 'three' }, '7'));
    await reports.whenIdle();
    expect(asked).to.deep.equal([]);
  });

  it('does not repeat what the server does not keep', async () => {
    const status: PodStatus = { phase: 'Running', message: 'dropped' };
    reports.setStatus(apiPod(), status);
    (await next()).answer(200, apiPod({ phase: 'Running' }, '6'));
    await reports.whenIdle();
    // The server left the message out of its answer, and would again.
    reports.setStatus(apiPod({ phase: 'Running' }, '6'), status);
    (await next()).answer(200, apiPod({ phase: 'Running' }, '6'));
    await reports.whenIdle();
    reports.setStatus(apiPod({ phase: 'Running' }, '6'), status);
    await reports.whenIdle();
    expect(asked).to.deep.equal([]);
  });

  it('tries again after growing pauses, and says so once', async () => {
    reports.setStatus(apiPod(), { phase: 'Running' });
    for (const pauseMs of [500, 1000, 2000, 4000, 8000, 10_000, 10_000]) {
      (await next()).answer(500, failure(500, 'InternalError'));
      await eventually(async () => (clock.timerCount === 1 ? true : undefined));
      clock.advance(pauseMs - 1);
      expect(asked).to.deep.equal([]);
      clock.advance(1);
    }
    (await next()).answer(200, apiPod({ phase: 'Running' }, '6'));
    await reports.whenIdle();
    expect(logger.lines).to.have.length(1);
  });

  it('tries again at once when there is a newer status', async () => {
    reports.setStatus(apiPod(), { phase: 'Running' });
    (await next()).answer(500, failure(500, 'InternalError'));
    await eventually(async () => (clock.timerCount === 1 ? true : undefined));
    reports.setStatus(apiPod(), { phase: 'Failed' });
    expect((await next()).body).to.have.deep.property('status', { phase: 'Failed' });
  });

  it('tries a conflict over the same pod again', async () => {
    reports.setStatus(apiPod(), { phase: 'Running' });
    (await next()).answer(409, failure(409, 'Conflict'));
    const look = await next();
    expect(look.method).to.equal('GET');
    look.answer(200, apiPod());
    await eventually(async () => (clock.timerCount === 1 ? true : undefined));
    clock.advance(500);
    expect((await next()).method).to.equal('PATCH');
  });

  it('does not write for pods that it was told to forget', async () => {
    reports.setStatus(apiPod(), { phase: 'Running' });
    (await next()).answer(500, failure(500, 'InternalError'));
    await eventually(async () => (clock.timerCount === 1 ? true : undefined));
    reports.forget('u1');
    clock.advance(500);
    await reports.whenIdle();
    expect(asked).to.deep.equal([]);
  });

  it('removes a pod with its uid as the condition', async () => {
    const pod = apiPod();
    pod.metadata.deletionTimestamp = '2021-01-01T00:00:00Z';
    reports.finish(pod);
    const removal = await next();
    expect(removal).to.deep.include({ method: 'DELETE', path: '/a' });
    expect(removal.body).to.deep.include({ gracePeriodSeconds: 0, preconditions: { uid: 'u1' } });
    removal.answer(409, failure(409, 'Conflict'));
    await reports.whenIdle();
    expect(logger.lines).to.deep.equal([]);
  });

  it('touches no mirror before it knows both static pods and mirrors', async () => {
    reports.setMirrors([mirrorOf('m1')]);
    await reports.whenIdle();
    expect(asked).to.deep.equal([]);
    reports.setStatic([]);
    expect(await next()).to.deep.include({ method: 'DELETE', path: '/s-node1' });
  });

  it('makes a mirror again that was seen to come and go before the answer', async () => {
    reports.setStatic([staticPod]);
    reports.setMirrors([]);
    const creation = await next();
    reports.setMirrors([mirrorOf('m1')]);
    reports.setMirrors([]);
    creation.answer(201, mirrorOf('m1'));
    expect(await next()).to.deep.include({ method: 'POST', path: '' });
  });

  it('does not make a mirror twice because it is seen late, but after ten seconds', async () => {
    reports.setStatic([staticPod]);
    reports.setMirrors([]);
    (await next()).answer(201, mirrorOf('m1'));
    await reports.whenIdle();
    reports.setMirrors([]);
    reports.setStatic([staticPod]);
    await reports.whenIdle();
    expect(asked).to.deep.equal([]);
    clock.advance(10_001);
    expect(await next()).to.deep.include({ method: 'POST', path: '' });
  });

  it('removes a mirror that is being deleted once, and makes another one without waiting to see that', async () => {
    const mirror = mirrorOf('m1');
    mirror.metadata.deletionTimestamp = '2021-01-01T00:00:00Z';
    reports.setStatic([staticPod]);
    reports.setMirrors([mirror]);
    const removal = await next();
    expect(removal.body).to.deep.include({ preconditions: { uid: 'm1' } });
    removal.answer(200, mirror);
    (await next()).answer(201, mirrorOf('m2'));
    await reports.whenIdle();
    reports.setMirrors([mirror]);
    await reports.whenIdle();
    reports.setMirrors([mirrorOf('m2')]);
    await reports.whenIdle();
    expect(asked).to.deep.equal([]);
  });

  it('gives up what is under way when it is disposed of', async () => {
    reports.setStatus(apiPod(), { phase: 'Running' });
    await next();
    await reports[Symbol.asyncDispose]();
    reports.setStatus(apiPod(), { phase: 'Failed' });
    expect(asked).to.deep.equal([]);
    expect(logger.lines).to.deep.equal([]);
  });
});

function answerOf(status: number, content: unknown) {
  const bytes = Buffer.from(JSON.stringify(content));
  return {
    status,
    statusText: '',
    headers: {},
    chunks: (async function* () {
      yield bytes;
    })(),
    close() {},
  };
}
