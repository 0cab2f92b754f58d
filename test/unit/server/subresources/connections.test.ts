import { expect } from 'chai';
import { createSubresourceHandlers } from '../../../../src/server/subresources/index.ts';
import { type ApiBench, openApiBench } from '../api-bench.ts';

const core = '/api/v1/namespaces/n';
const contentType = 'application/merge-patch+json';

describe('connections to pods, nodes and services', () => {
  let bench: ApiBench;
  beforeEach(async () => {
    bench = await openApiBench(({ stores }) => ({ subresources: createSubresourceHandlers({ stores }) }));
    await create('pods', 'Pod', { metadata: { name: 'p' }, spec: podSpec('c') });
    await create('pods', 'Pod', { metadata: { name: 'two' }, spec: podSpec('c', 'd') });
    await create('pods', 'Pod', { metadata: { name: 'placed' }, spec: { ...podSpec('c'), nodeName: 'n1' } });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  const podSpec = (...names: string[]) => ({
    containers: names.map((name) => ({ name, image: 'nginx:1.19' })),
  });

  async function create(resource: string, kind: string, fields: object): Promise<void> {
    const body = { kind, apiVersion: 'v1', ...fields };
    const { code, text } = await bench.send('POST', `${core}/${resource}`, { body });
    expect(code, text).to.equal(201);
  }

  it('has no log of a pod without a node', async () => {
    const { code, text } = await bench.send('GET', `${core}/pods/p/log`);
    expect([code, text]).to.deep.equal([204, '']);
  });

  const refused: readonly (readonly [string, string, number, string])[] = [
    ['GET', 'pods/q/log', 404, 'pods "q" not found'],
    ['GET', 'pods/two/log', 400, 'a container name must be specified for pod two, choose one of: [c d]'],
    ['GET', 'pods/p/log?container=x', 400, 'container x is not valid for pod p'],
    [
      'GET',
      'pods/p/log?tailLines=-1&limitBytes=0',
      422,
      'PodLogOptions "" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0]',
    ],
    ['POST', 'pods/p/exec?command=ls', 400, 'pod p does not have a host assigned'],
    ['POST', 'pods/two/attach', 400, 'a container name must be specified for pod two, choose one of: [c d]'],
    ['POST', 'pods/two/portforward', 400, 'pod two does not have a host assigned'],
    ['GET', 'pods/p/proxy', 400, 'address not allowed'],
    ['GET', 'pods/q:80/proxy', 404, 'pods "q" not found'],
    ['GET', 'pods/a:b:c/proxy', 400, 'invalid pod request "a:b:c"'],
    ['GET', 'services/s:80/proxy/path', 404, 'services "s" not found'],
  ];
  for (const [method, path, code, message] of refused) {
    it(`answers ${method} ${path} with ${code}`, async () => {
      const { body } = await bench.send(method, `${core}/${path}`);
      expect([body.code, body.message]).to.deep.equal([code, message]);
    });
  }

  for (const path of ['log', 'exec', 'attach', 'portforward']) {
    it(`says that it does not reach the node for ${path} of a placed pod`, async () => {
      const { body } = await bench.send('GET', `${core}/pods/placed/${path}`);
      expect(body).to.include({ code: 501, reason: 'NotImplemented' });
      expect(body.message).to.contain('does not connect to node agents');
    });
  }

  it('says the same of a proxy whose other end is known', async () => {
    await bench.send('PATCH', `${core}/pods/p/status`, {
      body: { status: { podIP: '10.0.0.9' } },
      contentType,
    });
    expect((await bench.send('GET', `${core}/pods/p/proxy`)).code).to.equal(501);
    const body = { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n1' } };
    expect((await bench.send('POST', '/api/v1/nodes', { body })).code).to.equal(201);
    expect((await bench.send('GET', '/api/v1/nodes/n1/proxy/stats')).code).to.equal(501);
    expect((await bench.send('GET', '/api/v1/nodes/n2/proxy')).code).to.equal(404);
  });

  it('has no way to a service without endpoints', async () => {
    const spec = { ports: [{ port: 80 }], clusterIP: 'None' };
    await create('services', 'Service', { metadata: { name: 's' }, spec });
    const { body } = await bench.send('GET', `${core}/services/s/proxy`);
    expect(body).to.include({ code: 503, message: 'no endpoints available for service "s"' });
    const subsets = [{ addresses: [{ ip: '10.0.0.9' }], ports: [{ port: 80 }] }];
    await create('endpoints', 'Endpoints', { metadata: { name: 's' }, subsets });
    expect((await bench.send('GET', `${core}/services/s/proxy`)).code).to.equal(501);
  });
});
