import { expect } from 'chai';
import { createSubresourceHandlers } from '../../../../src/server/subresources/index.ts';
import { type ApiBench, openApiBench } from '../api-bench.ts';

const mergePatch = 'application/merge-patch+json';
const template = {
  metadata: { labels: { app: 'd' } },
  spec: { containers: [{ name: 'c', image: 'nginx:1.19' }] },
};
const workloads = [
  { kind: 'Deployment', apiVersion: 'apps/v1', path: '/apis/apps/v1/namespaces/n/deployments' },
  { kind: 'ReplicaSet', apiVersion: 'apps/v1', path: '/apis/apps/v1/namespaces/n/replicasets' },
  { kind: 'StatefulSet', apiVersion: 'apps/v1', path: '/apis/apps/v1/namespaces/n/statefulsets' },
  { kind: 'ReplicationController', apiVersion: 'v1', path: '/api/v1/namespaces/n/replicationcontrollers' },
] as const;

describe('handleScale', () => {
  let bench: ApiBench;
  beforeEach(async () => {
    bench = await openApiBench(({ stores }) => ({ subresources: createSubresourceHandlers({ stores }) }));
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  async function create({ kind, apiVersion, path }: (typeof workloads)[number]): Promise<void> {
    const isController = kind === 'ReplicationController';
    const selector = isController ? { app: 'd' } : { matchLabels: { app: 'd' } };
    const spec = { replicas: 2, selector, template };
    const body = { kind, apiVersion, metadata: { name: 'd' }, spec };
    const { code, text } = await bench.send('POST', path, { body });
    expect(code, text).to.equal(201);
  }

  for (const workload of workloads) {
    const scalePath = `${workload.path}/d/scale`;

    it(`shows the scale of a ${workload.kind}`, async () => {
      await create(workload);
      const { code, body } = await bench.send('GET', scalePath);
      const { uid, resourceVersion } = (await bench.send('GET', `${workload.path}/d`)).body.metadata;
      expect(code).to.equal(200);
      expect(body).to.deep.equal({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: {
          name: 'd',
          namespace: 'n',
          uid,
          resourceVersion,
          creationTimestamp: '2021-02-03T04:05:06Z',
        },
        spec: { replicas: 2 },
        status: { replicas: 0, selector: 'app=d' },
      });
    });

    it(`counts a generation when a ${workload.kind} is scaled, and only then`, async () => {
      await create(workload);
      const scale = (replicas: number) => ({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'd', namespace: 'n' },
        spec: { replicas },
      });
      const written = await bench.send('PUT', scalePath, { body: scale(5) });
      expect(written.code, written.text).to.equal(200);
      expect(written.body.spec).to.deep.equal({ replicas: 5 });
      const unchanged = await bench.send('PUT', scalePath, { body: scale(5) });
      expect(unchanged.body.metadata.resourceVersion).to.equal(written.body.metadata.resourceVersion);
      const { body } = await bench.send('GET', `${workload.path}/d`);
      expect([body.spec.replicas, body.metadata.generation]).to.deep.equal([5, 2]);
    });
  }

  const [deployments] = workloads;
  const path = `${deployments.path}/d/scale`;

  it('takes merge patches and JSON patches', async () => {
    await create(deployments);
    const merged = await bench.send('PATCH', path, {
      body: { spec: { replicas: 0 } },
      contentType: mergePatch,
    });
    expect(merged.body.spec).to.deep.equal({});
    const operations = [{ op: 'add', path: '/spec/replicas', value: 6 }];
    const contentType = 'application/json-patch+json';
    const patched = await bench.send('PATCH', path, { body: operations, contentType });
    expect(patched.body.spec).to.deep.equal({ replicas: 6 });
  });

  const misnamed: [metadata: object | null, message: string][] = [
    [null, 'the name of the object (d based on URL) was undeterminable: name must be provided'],
    [{ name: 'e' }, 'the name of the object (e) does not match the name on the URL (d)'],
    [{ namespace: 'm' }, 'the namespace of the object (m) does not match the namespace on the request (n)'],
  ];
  for (const [metadata, message] of misnamed) {
    it(`refuses a patch that makes the metadata ${JSON.stringify(metadata)}`, async () => {
      await create(deployments);
      const { code, body } = await bench.send('PATCH', path, { body: { metadata }, contentType: mergePatch });
      expect([code, body.message]).to.deep.equal([400, message]);
    });
  }

  it('leaves everything as it is on a dry run', async () => {
    await create(deployments);
    const body = { spec: { replicas: 4 } };
    const dry = await bench.send('PATCH', `${path}?dryRun=All`, { body, contentType: mergePatch });
    expect(dry.body.spec).to.deep.equal({ replicas: 4 });
    expect((await bench.send('GET', path)).body.spec).to.deep.equal({ replicas: 2 });
  });

  it('answers a patched version or uid that is not the current one with a conflict', async () => {
    await create(deployments);
    const send = (metadata: object) =>
      bench.send('PATCH', path, { body: { metadata, spec: { replicas: 1 } }, contentType: mergePatch });
    const late = await send({ resourceVersion: '1' });
    expect(late.body.message).to.equal(
      'Operation cannot be fulfilled on deployments.apps "d": the object has been modified; please apply your changes to the latest version and try again',
    );
    const other = await send({ uid: 'other' });
    expect(other.code).to.equal(409);
    expect(other.body.message).to.match(
      /^Operation cannot be fulfilled on deployments\/scale\.apps "d": Precondition failed: UID in precondition: other, UID in object meta: uid-\d+$/,
    );
  });

  const refused: readonly (readonly [string, object, number, string])[] = [
    [
      'a negative number without a namespace',
      { metadata: { name: 'd' }, spec: { replicas: -1 } },
      422,
      'Scale.autoscaling "d" is invalid: [metadata.namespace: Required value, spec.replicas: Invalid value: -1: must be greater than or equal to 0]',
    ],
    [
      'another name',
      { metadata: { name: 'e' }, spec: { replicas: 1 } },
      400,
      'the name of the object (e) does not match the name on the URL (d)',
    ],
    [
      'another namespace',
      { metadata: { name: 'd', namespace: 'm' } },
      400,
      'the namespace of the object (m) does not match the namespace on the request (n)',
    ],
    [
      'another kind',
      { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'd' } },
      400,
      'Deployment in version "v1" cannot be handled as a Scale: converting (v1.Deployment) to (autoscaling.Scale): unknown conversion',
    ],
    [
      'an old version without a namespace',
      { metadata: { name: 'd', resourceVersion: '1' } },
      422,
      'Scale.autoscaling "d" is invalid: metadata.namespace: Required value',
    ],
  ];
  for (const [title, fields, code, message] of refused) {
    it(`refuses ${title}`, async () => {
      await create(deployments);
      const body = { kind: 'Scale', apiVersion: 'autoscaling/v1', ...fields };
      const answer = await bench.send('PUT', path, { body });
      expect([answer.code, answer.body.message]).to.deep.equal([code, message]);
    });
  }

  it('names the subresource to readers when there is no such object', async () => {
    const read = await bench.send('GET', path);
    expect(read.body).to.include({ code: 404, message: 'deployments/scale.apps "d" not found' });
    expect(read.body.details).to.deep.equal({ name: 'd', group: 'apps', kind: 'deployments/scale' });
    const patched = await bench.send('PATCH', path, { body: {}, contentType: mergePatch });
    expect(patched.body.message).to.equal('deployments.apps "d" not found');
    const set = await bench.send('GET', '/apis/apps/v1/namespaces/n/statefulsets/d/scale');
    expect(set.body.message).to.equal('statefulsets.apps "d" not found');
    const controller = await bench.send('GET', '/api/v1/namespaces/n/replicationcontrollers/d/scale');
    expect(controller.body.message).to.equal('replicationcontrollers/scale.autoscaling "d" not found');
  });
});
