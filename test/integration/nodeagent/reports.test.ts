import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Pod, PodStatus } from '../../../src/apis/types/core-v1.ts';
import { systemClock } from '../../../src/base/index.ts';
import { createRestClient, type RestClient } from '../../../src/client/index.ts';
import { createEncoding } from '../../../src/client/protobuf/index.ts';
import { orchDialect as dialect } from '../../../src/machinery/dialect.ts';
import { createPodReports, type PodReports } from '../../../src/nodeagent/reports/index.ts';
import {
  type ApiSource,
  loadManifestDecoder,
  type ManifestDecoder,
  startApiSource,
} from '../../../src/nodeagent/sources/index.ts';
import { BreakableLine } from '../../support/breakable-line.ts';
import { eventually } from '../../support/eventually.ts';
import { createRecordingLogger, type RecordingLogger } from '../../support/recording-logger.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const nodeName = 'node1';
const podsPath = '/api/v1/namespaces/default/pods';
const ready = (status: 'True' | 'False') => ({
  type: 'Ready',
  status,
  lastProbeTime: null,
  lastTransitionTime: '2021-01-01T00:00:00Z',
});
const running: PodStatus = {
  phase: 'Running',
  conditions: [ready('True')],
  hostIP: '192.0.2.2',
  podIP: '10.0.0.7',
  podIPs: [{ ip: '10.0.0.7' }],
  startTime: '2021-01-01T00:00:00Z',
  qosClass: 'BestEffort',
};

describe('the pods of a node on a server', () => {
  let server: TestServer;
  let line: BreakableLine;
  /** The tests' own client, which no cut reaches. */
  let client: RestClient;
  let agentClient: RestClient;
  /** Writes that the agent sent: method and path. */
  let writes: string[];
  let nodeUid: string | undefined;
  let decoder: ManifestDecoder;
  let logger: RecordingLogger;
  let reports: PodReports;
  let source: ApiSource;
  let seen: { pods: readonly Pod[]; mirrors: readonly Pod[] };

  before(async () => {
    server = await startTestServer();
    line = await BreakableLine.open(server.server.url);
    const { authorityPem: ca, adminCertificatePem: cert, adminKeyPem: key } = server.server;
    const tls = { ca, cert, key };
    client = createRestClient({ connection: { server: server.server.url, tls, auth: {} } });
    agentClient = createRestClient({
      connection: { server: line.url, tls, auth: {} },
      encoding: createEncoding(dialect.protobufMediaType, dialect), // as agents speak unless told otherwise
      trace: {
        onRequest({ method, url }) {
          if (method !== 'GET') writes.push(`${method} ${new URL(url).pathname}`);
        },
      },
    });
    decoder = await loadManifestDecoder({ dialect, nodeName, gates: new Set() });
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } };
    nodeUid = (await created('/api/v1/nodes', node)).metadata.uid;
  });
  after(async () => {
    client.close();
    agentClient.close();
    await line[Symbol.asyncDispose]();
    await server.stop();
  });
  beforeEach(() => {
    writes = [];
    logger = createRecordingLogger();
    seen = { pods: [], mirrors: [] };
    startAgent();
  });
  afterEach(async () => {
    await stopAgent();
    await client.send({ method: 'DELETE', path: podsPath, query: { gracePeriodSeconds: 0 } });
  });

  function startAgent(): void {
    const shared = { client: agentClient, nodeName, dialect, clock: systemClock, logger, random: () => 0 };
    reports = createPodReports({ ...shared, nodeUid: () => nodeUid });
    source = startApiSource({
      ...shared,
      onPods(pods, mirrors) {
        seen = { pods, mirrors };
        reports.setMirrors(mirrors);
      },
    });
  }
  async function stopAgent(): Promise<void> {
    await source[Symbol.asyncDispose]();
    await reports[Symbol.asyncDispose]();
  }
  const created = (path: string, body: unknown): Promise<Pod> =>
    client.json<Pod>({ method: 'POST', path, body });
  const podOf = (name: string, spec: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { nodeName, containers: [{ name: 'c', image: 'i' }], ...spec },
  });
  const read = async (name: string): Promise<Pod | undefined> => {
    const list = await client.json<{ items: Pod[] }>({ method: 'GET', path: podsPath });
    return list.items.find(({ metadata }) => metadata.name === name);
  };
  const remove = (name: string, gracePeriodSeconds?: number): Promise<unknown> =>
    client.send({ method: 'DELETE', path: `${podsPath}/${name}`, query: { gracePeriodSeconds } });
  /** The pod as the source hands it over, once it is as `is` says. */
  const handedOver = (name: string, is: (pod: Pod) => boolean = () => true): Promise<Pod> =>
    eventually(async () => seen.pods.find((pod) => pod.metadata.name === name && is(pod)));
  const isDeleted = ({ metadata }: Pod): boolean => Boolean(metadata.deletionTimestamp);
  const untilGone = (name: string): Promise<true> =>
    eventually(async () => ((await read(name)) === undefined ? true : undefined));

  describe('the source', () => {
    it('hands over pods of the node, marked as the server’s, whatever their authors say', async () => {
      await created(podsPath, {
        ...podOf('a'),
        metadata: { name: 'a', annotations: { 'orch.io/config.source': 'file' } },
      });
      await created(podsPath, podOf('elsewhere', { nodeName: 'node2' }));
      const pod = await handedOver('a');
      expect(pod.metadata.annotations).to.include({ 'orch.io/config.source': 'api' });
      expect(pod.metadata.annotations?.['orch.io/config.seen']).to.match(/^\d{4}-\d\d-\d\dT/);
      expect(pod.spec.enableServiceLinks).to.equal(true);
      expect(seen.pods).to.have.length(1);
    });

    it('keeps the time of the first sight, and forgets pods that are gone', async () => {
      await created(podsPath, podOf('a'));
      const first = await handedOver('a');
      await remove('a');
      const second = await handedOver('a', isDeleted);
      expect(second.metadata.annotations).to.deep.equal(first.metadata.annotations);
      await remove('a', 0);
      await eventually(async () => (seen.pods.length === 0 ? true : undefined));
    });

    it('says nothing before it knows, and goes on after the server was away', async () => {
      await stopAgent();
      await line.cut();
      seen = { pods: [], mirrors: [] };
      startAgent();
      await eventually(async () => (logger.lines.length > 0 ? true : undefined));
      expect(source.isSynced).to.equal(false);
      await line.mend();
      await created(podsPath, podOf('a'));
      await handedOver('a');
      expect(source.isSynced).to.equal(true);
    });
  });

  describe('statuses', () => {
    it('are written when they change, and only then', async () => {
      await created(podsPath, podOf('a'));
      const pod = await handedOver('a');
      reports.setStatus(pod, running);
      await reports.whenIdle();
      const written = await read('a');
      expect(written?.status).to.deep.equal({ ...running });
      reports.setStatus(pod, structuredClone(running));
      await reports.whenIdle();
      reports.setStatus(await handedOver('a', ({ status }) => status.phase === 'Running'), running);
      await reports.whenIdle();
      expect(writes).to.deep.equal([`PATCH ${podsPath}/a/status`]);
    });

    it('are the newest when several come at once', async () => {
      await created(podsPath, podOf('a'));
      const pod = await handedOver('a');
      for (let at = 0; at < 50; at++) reports.setStatus(pod, { ...running, message: `m${at}` });
      await reports.whenIdle();
      expect((await read('a'))?.status.message).to.equal('m49');
      expect(writes.length).to.be.lessThan(4);
    });

    it('leave conditions of others alone', async () => {
      await created(podsPath, podOf('a'));
      const pod = await handedOver('a');
      const other = { type: 'example.test/gate', status: 'True' };
      const body = { status: { conditions: [other] } };
      const contentType = 'application/strategic-merge-patch+json';
      await client.send({ method: 'PATCH', path: `${podsPath}/a/status`, body, contentType });
      reports.setStatus(pod, { ...running, conditions: [ready('False')] });
      await reports.whenIdle();
      reports.setStatus(pod, { phase: 'Failed', reason: 'Evicted', qosClass: 'BestEffort' });
      await reports.whenIdle();
      const { status } = (await read('a')) ?? expect.fail('the pod is gone');
      expect(status.conditions?.map(({ type }) => type)).to.deep.equal(['example.test/gate']);
      expect(status).to.include({ phase: 'Failed', reason: 'Evicted' });
      expect(status).not.to.have.any.keys('podIP', 'podIPs', 'hostIP');
    });

    it('put right what somebody else changed', async () => {
      await created(podsPath, podOf('a'));
      reports.setStatus(await handedOver('a'), running);
      await reports.whenIdle();
      const body = { status: { phase: 'Pending' } };
      const contentType = 'application/merge-patch+json';
      await client.send({ method: 'PATCH', path: `${podsPath}/a/status`, body, contentType });
      reports.setStatus(
        await handedOver('a', ({ status }) => Boolean(status.podIP) && status.phase === 'Pending'),
        running,
      );
      await reports.whenIdle();
      expect((await read('a'))?.status.phase).to.equal('Running');
    });

    it('never go to another pod of the same name', async () => {
      await created(podsPath, podOf('a'));
      const pod = await handedOver('a');
      await remove('a', 0);
      await created(podsPath, podOf('a'));
      reports.setStatus(pod, running);
      await reports.whenIdle();
      reports.setStatus(pod, { ...running, message: 'again' });
      await reports.whenIdle();
      expect((await read('a'))?.status.phase).to.equal('Pending');
      expect(logger.lines).to.deep.equal([]);
      expect(writes).to.deep.equal([`PATCH ${podsPath}/a/status`]);
    });

    it('of a pod that was deleted at once are given up', async () => {
      await created(podsPath, podOf('a'));
      const pod = await handedOver('a');
      await remove('a', 0);
      reports.setStatus(pod, running);
      reports.finish(pod);
      await reports.whenIdle();
      expect(logger.lines).to.deep.equal([]);
    });

    it('wait for a server that is away', async () => {
      await created(podsPath, podOf('a'));
      const pod = await handedOver('a');
      await line.cut();
      reports.setStatus(pod, running);
      await eventually(async () =>
        logger.lines.find(({ message }) => message === 'pod status update failed'),
      );
      reports.setStatus(pod, { ...running, message: 'newer' });
      await line.mend();
      await eventually(async () => ((await read('a'))?.status.message === 'newer' ? true : undefined));
    });
  });

  describe('the end of a pod', () => {
    it('is its deletion, after its last status', async () => {
      await created(podsPath, podOf('a'));
      await handedOver('a');
      await remove('a');
      const pod = await handedOver('a', isDeleted);
      reports.setStatus(pod, { ...running, phase: 'Succeeded' });
      await reports.whenIdle();
      expect((await read('a'))?.status.phase).to.equal('Succeeded');
      reports.finish(pod);
      await untilGone('a');
      reports.finish(pod);
      reports.setStatus(pod, running);
      await reports.whenIdle();
      expect(writes).to.deep.equal([`PATCH ${podsPath}/a/status`, `DELETE ${podsPath}/a`]);
    });

    it('comes when a finished pod is deleted', async () => {
      await created(podsPath, podOf('a'));
      const pod = await handedOver('a');
      reports.finish(pod);
      await reports.whenIdle();
      expect(await read('a')).not.to.equal(undefined);
      await remove('a');
      reports.finish(await handedOver('a', isDeleted));
      await untilGone('a');
    });

    it('spares another pod of the same name', async () => {
      await created(podsPath, podOf('a'));
      await handedOver('a');
      await remove('a');
      const pod = await handedOver('a', isDeleted);
      await remove('a', 0);
      await created(podsPath, podOf('a'));
      reports.finish(pod);
      await reports.whenIdle();
      expect(await read('a')).not.to.equal(undefined);
      expect(logger.lines).to.deep.equal([]);
    });

    it('does not wait for a status that the server refuses', async () => {
      await created(podsPath, podOf('a'));
      await handedOver('a');
      await remove('a');
      const pod = await handedOver('a', isDeleted);
      reports.setStatus(pod, { ...running, podIPs: [{ ip: 'no address' }] });
      reports.finish(pod);
      await untilGone('a');
    });
  });

  describe('mirror pods', () => {
    const staticPod = (rest = '{name: s, labels: {l: "1"}}'): Pod =>
      decoder.decodePod(
        Buffer.from(
          `apiVersion: v1\nkind: Pod\nmetadata: ${rest}\nspec: {terminationGracePeriodSeconds: 1, containers: [{name: c, image: "localhost/busybox:1"}]}`,
        ),
        { source: 'file', location: '/manifests/s.yaml' },
        Date.UTC(2021, 0, 1),
      );
    const mirrorWith = (is: (pod: Pod) => boolean): Promise<Pod> =>
      eventually(async () => {
        const mirror = await read('s-node1');
        return mirror !== undefined && is(mirror) ? mirror : undefined;
      });
    const isRunning = ({ status }: Pod): boolean => status.phase === 'Running';

    it('show static pods: annotations, owner, specification and status', async () => {
      const pod = staticPod();
      reports.setStatic([pod]);
      reports.setStatus(pod, running);
      const mirror = await mirrorWith(isRunning);
      const { uid = '' } = pod.metadata;
      expect(mirror.metadata.uid).not.to.equal(uid);
      expect(mirror.metadata.labels).to.deep.equal({ l: '1' });
      expect(mirror.metadata.annotations).to.deep.equal({
        'orch.io/config.hash': uid,
        'orch.io/config.mirror': uid,
        'orch.io/config.seen': '2021-01-01T00:00:00.000Z',
        'orch.io/config.source': 'file',
      });
      expect(mirror.metadata.ownerReferences).to.deep.equal([
        { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeUid, controller: true },
      ]);
      expect(mirror.spec).to.deep.equal({
        ...pod.spec,
        priority: 0,
        preemptionPolicy: 'PreemptLowerPriority',
      });
      expect(mirror.status).to.deep.equal(running);
      await eventually(async () => (seen.mirrors.some(isRunning) ? true : undefined));
      expect(seen.pods).to.deep.equal([]);
      expect(writes).to.deep.equal([`POST ${podsPath}`, `PATCH ${podsPath}/s-node1/status`]);
    });

    it('go with their static pods', async () => {
      reports.setStatic([staticPod()]);
      await mirrorWith(() => true);
      reports.setStatic([]);
      await untilGone('s-node1');
    });

    for (const grace of [undefined, 0]) {
      it(`come back with their status after a deletion with grace ${grace ?? 'of their own'}`, async () => {
        const pod = staticPod();
        reports.setStatic([pod]);
        reports.setStatus(pod, running);
        const { metadata } = await mirrorWith(isRunning);
        await eventually(async () => seen.mirrors.find(isRunning));
        await remove('s-node1', grace);
        const again = await mirrorWith((mirror) => mirror.metadata.uid !== metadata.uid && isRunning(mirror));
        expect(again.status).to.deep.equal(running);
      });
    }

    it('are made anew when the content changes', async () => {
      const [before, after_] = [staticPod(), staticPod('{name: s, labels: {l: "2"}}')];
      reports.setStatic([before]);
      reports.setStatus(before, running);
      await mirrorWith(isRunning);
      reports.setStatic([after_]);
      reports.setStatus(before, { ...running, message: 'of the old one' });
      reports.setStatus(after_, { ...running, message: 'of the new one' });
      const mirror = await mirrorWith(
        ({ status, metadata }) => metadata.labels?.l === '2' && status.phase === 'Running',
      );
      expect(mirror.status.message).to.equal('of the new one');
    });

    it('are made anew when the content changes under a fixed uid', async () => {
      reports.setStatic([staticPod('{name: s, uid: fixed, labels: {l: "1"}}')]);
      const { metadata } = await mirrorWith(() => true);
      const changed = staticPod('{name: s, uid: fixed, labels: {l: "2"}}');
      reports.setStatic([changed]);
      reports.setStatus(changed, running);
      const mirror = await mirrorWith(isRunning);
      expect(mirror.metadata.labels).to.deep.equal({ l: '2' });
      expect(mirror.metadata.uid).not.to.equal(metadata.uid);
    });

    it('keep labels that others give them', async () => {
      const pod = staticPod();
      reports.setStatic([pod]);
      await mirrorWith(() => true);
      const body = { metadata: { labels: { b: '2' } } };
      const contentType = 'application/merge-patch+json';
      await client.send({ method: 'PATCH', path: `${podsPath}/s-node1`, body, contentType });
      await eventually(async () => seen.mirrors.find(({ metadata }) => metadata.labels?.b));
      reports.setStatus(pod, running);
      expect((await mirrorWith(isRunning)).metadata.labels).to.deep.equal({ l: '1', b: '2' });
    });

    it('of an agent that was started again are kept, or removed when nobody wants them', async () => {
      reports.setStatic([staticPod()]);
      const { metadata } = await mirrorWith(() => true);
      await stopAgent();
      startAgent();
      reports.setStatic([staticPod()]);
      reports.setStatus(staticPod(), running);
      expect((await mirrorWith(isRunning)).metadata.uid).to.equal(metadata.uid);
      await stopAgent();
      startAgent();
      reports.setStatic([]);
      await untilGone('s-node1');
    });

    it('wait for the node that owns them', async () => {
      const uid = nodeUid;
      nodeUid = undefined;
      try {
        reports.setStatic([staticPod()]);
        await source.whenRead;
        await reports.whenIdle();
        expect(writes).to.deep.equal([]);
      } finally {
        nodeUid = uid;
      }
      await mirrorWith(() => true);
      expect(logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    });

    it('are not deleted by the end of a static pod', async () => {
      const pod = staticPod();
      reports.setStatic([pod]);
      reports.setStatus(pod, running);
      await mirrorWith(isRunning);
      reports.finish(pod);
      await reports.whenIdle();
      expect(await read('s-node1')).not.to.equal(undefined);
    });

    it('appear when the server is back', async () => {
      await source.whenRead;
      await line.cut();
      reports.setStatic([staticPod()]);
      reports.setStatus(staticPod(), running);
      await eventually(async () => logger.lines.find(({ message }) => message === 'mirror pod sync failed'));
      await line.mend();
      await mirrorWith(isRunning);
    });

    it('leave a pod alone that has their name and is none', async () => {
      const other = await created(podsPath, podOf('s-node1'));
      reports.setStatic([staticPod()]);
      await eventually(async () => logger.lines.find(({ level }) => level === 'error'));
      expect((await read('s-node1'))?.metadata.uid).to.equal(other.metadata.uid);
      await remove('s-node1', 0);
      await mirrorWith(({ metadata }) => metadata.uid !== other.metadata.uid);
    });
  });
});
