import { expect } from 'chai';
import { createSubresourceHandlers } from '../../../../src/server/subresources/index.ts';
import { defaultGates } from '../../../support/default-gates.ts';
import { type ApiBench, openApiBench } from '../api-bench.ts';

const pods = '/api/v1/namespaces/n/pods';
const path = `${pods}/p/ephemeralcontainers`;
const gates = defaultGates({ EphemeralContainers: true });

describe('handleEphemeralContainers', () => {
  let bench: ApiBench;
  beforeEach(async () => {
    bench = await openApiBench(({ stores }) => ({ subresources: createSubresourceHandlers({ stores }) }), {
      gates,
    });
    const spec = { containers: [{ name: 'c', image: 'nginx:1.19' }] };
    const body = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p', labels: { a: 'b' } }, spec };
    expect((await bench.send('POST', pods, { body })).code).to.equal(201);
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  const debug = { name: 'debug', image: 'busybox:1', terminationMessagePolicy: 'File' };
  const put = (ephemeralContainers: readonly object[], metadata: object = {}, query = '') =>
    bench.send('PUT', path + query, {
      body: {
        kind: 'EphemeralContainers',
        apiVersion: 'v1',
        metadata: { name: 'p', ...metadata },
        ephemeralContainers,
      },
    });

  it('shows an empty list for a pod without any', async () => {
    const { code, body } = await bench.send('GET', path);
    const { uid, resourceVersion } = (await bench.send('GET', `${pods}/p`)).body.metadata;
    expect(code).to.equal(200);
    expect(body).to.deep.equal({
      kind: 'EphemeralContainers',
      apiVersion: 'v1',
      metadata: {
        name: 'p',
        namespace: 'n',
        uid,
        resourceVersion,
        creationTimestamp: '2021-02-03T04:05:06Z',
      },
      ephemeralContainers: [],
    });
  });

  it('adds a container with its defaults and touches nothing else', async () => {
    const { code, body, text } = await put([debug]);
    expect(code, text).to.equal(200);
    expect(body.kind).to.equal('EphemeralContainers');
    expect(body.ephemeralContainers[0]).to.include({ name: 'debug', imagePullPolicy: 'IfNotPresent' });
    const pod = (await bench.send('GET', `${pods}/p`)).body;
    expect(pod.spec.ephemeralContainers).to.deep.equal(body.ephemeralContainers);
    expect(pod.metadata.labels).to.deep.equal({ a: 'b' });
    expect(pod.metadata.resourceVersion).to.equal(body.metadata.resourceVersion);
  });

  it('takes patches', async () => {
    const contentType = 'application/json-patch+json';
    const operations = [{ op: 'add', path: '/ephemeralContainers/-', value: debug }];
    const { code, body, text } = await bench.send('PATCH', path, { body: operations, contentType });
    expect(code, text).to.equal(200);
    expect(body.ephemeralContainers).to.have.lengthOf(1);
  });

  it('writes nothing on a dry run', async () => {
    expect((await put([debug], {}, '?dryRun=All')).body.ephemeralContainers).to.have.lengthOf(1);
    expect((await bench.send('GET', path)).body.ephemeralContainers).to.deep.equal([]);
  });

  it('refuses to change or remove what is there, another pod and an old version', async () => {
    const first = await put([debug]);
    const changed = await put([{ ...debug, image: 'busybox:2' }]);
    expect(changed.body.message).to.contain('existing ephemeral containers "debug" may not be changed');
    expect((await put([])).body.message).to.contain(
      'existing ephemeral containers "debug" may not be removed',
    );
    expect((await put([debug], { name: 'q' })).code).to.equal(400);
    expect((await put([debug], { resourceVersion: '1' })).code).to.equal(409);
    expect((await bench.send('GET', path)).body).to.deep.equal(first.body);
  });

  it('says when there is no such pod', async () => {
    const { body } = await bench.send('GET', `${pods}/q/ephemeralcontainers`);
    expect(body).to.include({ code: 404, message: 'pods "q" not found' });
  });
});
