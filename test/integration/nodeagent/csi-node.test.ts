import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Node } from '../../../src/apis/types/core-v1.ts';
import type { CSINode } from '../../../src/apis/types/storage-v1.ts';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { createRestClient, type RestClient } from '../../../src/client/rest/index.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';
import { CsiNode, type DriverNodeInfo } from '../../../src/nodeagent/csi/index.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

for (const name of ['orch', 'kubernetes'] as const) {
  const dialect = createDialect(name);
  describe(`what the API server shows of drivers (${name})`, () => {
    let server: TestServer;
    let client: RestClient;
    const info: DriverNodeInfo = { nodeId: 'id-1', maxVolumes: 0, topology: {} };
    const create = (migratedPlugins: readonly string[] = []) =>
      new CsiNode({
        client,
        nodeName: 'n',
        migratedPlugins,
        dialect,
        clock: systemClock,
        logger: silentLogger,
      });
    const shown = () =>
      client.json<CSINode>({ method: 'GET', path: `/apis/${dialect.group('storage')}/v1/csinodes/n` });
    const node = () => client.json<Node>({ method: 'GET', path: '/api/v1/nodes/n' });
    const nodeIds = async () => (await node()).metadata.annotations?.[dialect.domain('csi.volume', 'nodeid')];
    beforeEach(async () => {
      server = await startTestServer({ flags: [`--dialect=${name}`] });
      const { url, authorityPem: ca, adminCertificatePem: cert, adminKeyPem: key } = server.server;
      client = createRestClient({ connection: { server: url, tls: { ca, cert, key }, auth: {} } });
      const body = {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n', labels: { 'a.test/zone': 'z1' } },
      };
      await client.json({ method: 'POST', path: '/api/v1/nodes', body });
    });
    afterEach(() => server.stop());

    it('is an object that belongs to the node, with or without drivers', async () => {
      await create().initialize(new AbortController().signal);
      const { metadata, spec } = await shown();
      expect(spec.drivers).to.equal(null);
      expect(metadata.annotations).to.equal(undefined);
      expect(metadata.ownerReferences).to.deep.equal([
        { apiVersion: 'v1', kind: 'Node', name: 'n', uid: (await node()).metadata.uid },
      ]);
    });

    it('says what is in the way until it can be made', async () => {
      await client.json({ method: 'DELETE', path: '/api/v1/nodes/n' });
      const told: (string | undefined)[] = [];
      const ended = create().initialize(new AbortController().signal, (problem) => void told.push(problem));
      await eventually(async () => told[0]);
      const metadata = { name: 'n' };
      const body = { apiVersion: 'v1', kind: 'Node', metadata };
      await client.json({ method: 'POST', path: '/api/v1/nodes', body });
      await ended;
      expect(told).to.deep.equal(['Failed to initialize CSINode: nodes "n" not found', undefined]);
      expect((await shown()).metadata.name).to.equal('n');
    });

    it('names the built-in kinds that drivers serve', async () => {
      const annotation = dialect.domain('storage.alpha', 'migrated-plugins');
      const { signal } = new AbortController();
      await create([dialect.label('gce-pd'), dialect.label('aws-ebs')]).initialize(signal);
      expect((await shown()).metadata.annotations).to.deep.equal({
        [annotation]: `${dialect.label('aws-ebs')},${dialect.label('gce-pd')}`,
      });
      await create().initialize(signal);
      expect((await shown()).metadata.annotations).to.equal(undefined);
    });

    it('has drivers with their limits and topology, which becomes labels', async () => {
      const csiNode = create();
      await csiNode.install('b.test', {
        ...info,
        maxVolumes: 12,
        topology: { 'b.test/rack': 'r', 'a.test/zone': 'z1' },
      });
      await csiNode.install('a.test', { ...info, nodeId: 'id-2' });
      expect((await shown()).spec.drivers).to.deep.equal([
        {
          name: 'b.test',
          nodeID: 'id-1',
          topologyKeys: ['a.test/zone', 'b.test/rack'],
          allocatable: { count: 12 },
        },
        { name: 'a.test', nodeID: 'id-2', topologyKeys: null },
      ]);
      expect((await node()).metadata.labels).to.include({ 'a.test/zone': 'z1', 'b.test/rack': 'r' });
      expect(await nodeIds()).to.equal('{"a.test":"id-2","b.test":"id-1"}');
    });

    it('follows drivers that change and go', async () => {
      const csiNode = create();
      await csiNode.install('a.test', info);
      await csiNode.install('b.test', info);
      await csiNode.uninstall('a.test');
      await csiNode.install('b.test', { ...info, maxVolumes: 2 ** 40 });
      expect((await shown()).spec.drivers).to.deep.equal([
        { name: 'b.test', nodeID: 'id-1', topologyKeys: null, allocatable: { count: 2147483647 } },
      ]);
      expect(await nodeIds()).to.equal('{"b.test":"id-1"}');
      await csiNode.uninstall('b.test');
      expect((await shown()).spec.drivers).to.equal(null);
      expect(await nodeIds()).to.equal(undefined);
    });

    it('is written anew when somebody else writes meanwhile', async () => {
      const [one, other] = [create(), create()];
      await Promise.all([one.install('a.test', info), other.install('b.test', info)]);
      const names = (await shown()).spec.drivers?.map((driver) => driver.name);
      expect(names?.sort()).to.deep.equal(['a.test', 'b.test']);
    });

    it('refuses drivers that do not say what the node is, or contradict its labels', async () => {
      const failure = (given: Partial<DriverNodeInfo>) =>
        create()
          .install('a.test', { ...info, ...given })
          .then(String, (error: Error) => error.message);
      expect(await failure({ nodeId: '' })).to.equal(
        'error adding CSI driver node info: driverNodeID must not be empty',
      );
      expect(await failure({ topology: { 'a.test/zone': 'z2' } })).to.equal(
        'error updating Node object with CSI driver node info: detected topology value collision: ' +
          'driver reported "a.test/zone":"z2" but existing label is "a.test/zone":"z1"',
      );
    });
  });
}
