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
    const initContainers = podSpec('i').containers;
    await create('pods', 'Pod', {
      metadata: { name: 'init' },
      spec: { ...podSpec('c', 'd'), initContainers },
    });
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
    ['GET', 'pods/init/log', 400, 'a container name must be specified for pod init, choose one of: [i c d]'],
    [
      'POST',
      'pods/init/exec?command=ls',
      400,
      'a container name must be specified for pod init, choose one of: [c d] or one of the init containers: [i]',
    ],
    ['GET', 'pods/p/log?container=x', 400, 'container x is not valid for pod p'],
    [
      'GET',
      'pods/p/log?tailLines=-1&limitBytes=0',
      422,
      'PodLogOptions "p" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0]',
    ],
    [
      'GET',
      'pods/p/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z',
      422,
      'PodLogOptions "p" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ['GET', 'pods/p/log?tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      'POST',
      'pods/p/portforward?ports=80,x',
      400,
      'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax',
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
    it(`needs the node of a placed pod for ${path}, and an address of it`, async () => {
      const ask = async () => (await bench.send('GET', `${core}/pods/placed/${path}`)).body;
      expect(await ask()).to.include({ code: 404, message: 'pods "n1" not found' });
      await makeNode([]);
      const message = 'no preferred addresses found; known addresses: []';
      expect(await ask()).to.include({ code: 500, message });
    });
  }

  it('refuses to proxy to this machine, to links and to groups', async () => {
    for (const podIP of ['127.0.0.1', '169.254.169.254', '224.0.0.1', '::1', 'fe80::1']) {
      await bench.send('PATCH', `${core}/pods/p/status`, { body: { status: { podIP } }, contentType });
      const { body } = await bench.send('GET', `${core}/pods/p/proxy/`);
      expect(body, podIP).to.include({ code: 400, message: 'address not allowed' });
    }
    await makeNode([{ type: 'InternalIP', address: '127.0.0.1' }]);
    const { body } = await bench.send('GET', '/api/v1/nodes/n1:22/proxy/');
    expect(body).to.include({ code: 400, message: 'address not allowed' });
    expect((await bench.send('GET', '/api/v1/nodes/n2/proxy')).code).to.equal(404);
  });

  it('has no way to a service without endpoints', async () => {
    const spec = { ports: [{ port: 80, name: 'web' }], clusterIP: 'None' };
    await create('services', 'Service', { metadata: { name: 's' }, spec });
    const ask = async (name: string) => (await bench.send('GET', `${core}/services/${name}/proxy/`)).body;
    expect(await ask('s')).to.include({ code: 404, message: 'services "s" not found' });
    expect(await ask('s:81')).to.include({ code: 503, message: 'no service port 81 found for service "s"' });
    await create('endpoints', 'Endpoints', { metadata: { name: 's' } });
    expect(await ask('s:80')).to.include({ code: 503, message: 'no endpoints available for service "s"' });
  });

  it('believes an endpoint only when a pod has its address', async () => {
    await create('services', 'Service', {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }], clusterIP: 'None' },
    });
    const addresses = [{ ip: '10.0.0.9', targetRef: { kind: 'Pod', namespace: 'n', name: 'p' } }];
    const subsets = [{ addresses, ports: [{ port: 80 }] }];
    await create('endpoints', 'Endpoints', { metadata: { name: 's' }, subsets });
    const { body } = await bench.send('GET', `${core}/services/s:80/proxy/`);
    expect(body).to.include({ code: 503, message: 'no endpoints available for service "s:80"' });
  });

  async function makeNode(addresses: readonly object[]): Promise<void> {
    const body = { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n1' }, status: { addresses } };
    expect((await bench.send('POST', '/api/v1/nodes', { body })).code).to.equal(201);
    await bench.send('PATCH', '/api/v1/nodes/n1/status', { body: { status: { addresses } }, contentType });
  }
});
