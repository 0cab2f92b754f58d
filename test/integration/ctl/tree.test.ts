import { expect } from 'chai';
import { type CtlServer, quietControllers, startCtlServer } from './support/ctl-server.ts';

describe('ctl tree', () => {
  let server: CtlServer;
  const ctl = (line: string, stdin?: string) =>
    server.ctl(line.split(' '), stdin === undefined ? {} : { stdin });
  before(async () => {
    server = await startCtlServer([`${quietControllers},deployment,replicaset`]);
    await ctl('create deployment web --image=shop/web --replicas=2');
    await ctl('wait --for=jsonpath={.status.replicas}=2 deployment/web');
  });
  after(() => server.stop());

  it('shows what a deployment owns, and what that owns', async () => {
    const { code, out, err } = await ctl('tree deployment/web');
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    const lines = out.split('\n').map((line) => line.trimEnd());
    expect(lines[0]).to.match(/^NAME +READY +STATUS +AGE$/);
    expect(lines[1]).to.match(/^deployment\.apps\/web +0\/2 +\d+s$/);
    expect(lines[2]).to.match(/^└─ replicaset\.apps\/web-\w+ +0 +\d+s$/);
    expect(lines[3]).to.match(/^ {3}├─ pod\/web-\w+-\w+ +0\/1 +Pending +\d+s$/);
    expect(lines[4]).to.match(/^ {3}└─ pod\/web-\w+-\w+ +0\/1 +Pending +\d+s$/);
    expect(lines).to.have.length(6);
  });

  it('shows what a pod comes from, and owners that are gone', async () => {
    const [pod = ''] = (await ctl('get pods -o name')).out.split('\n');
    const titles = (await ctl(`tree ${pod} --owners -o name`)).out;
    expect(titles).to.match(/^pod\/web-\S+\nreplicaset\.apps\/web-\w+\ndeployment\.apps\/web\n$/);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'u' }];
    // Else it would go too.
    const metadata = { name: 'left', ownerReferences, finalizers: ['shop.example/hold'] };
    const left = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    await ctl('create -f -', JSON.stringify(left));
    const gone = await ctl('tree configmap/left --owners');
    expect(gone.out, gone.err).to.match(/└─ configmap\/gone +Gone/);
  });

  it('gives the tree as data', async () => {
    const tree = JSON.parse((await ctl('tree deployment/web -o json')).out);
    expect(tree).to.include({ kind: 'Deployment', name: 'web', namespace: 'default', ready: '0/2' });
    expect(tree.children[0].children).to.have.length(2);
  });

  it('names the types that one may not list', async () => {
    await ctl('create role reader --verb=get,list --resource=deployments.apps,replicasets.apps');
    await ctl('create rolebinding reader --role=reader --user=eve');
    const { code, out, err } = await ctl('tree deployment/web --as=eve -o name');
    expect({ code, out }).to.deep.equal({
      code: 0,
      out: (await ctl('tree deployment/web -o name')).out.replaceAll(/^pod.*\n/gm, ''),
    });
    expect(err).to.match(/^not listed: .*pods \(pods is forbidden: User "eve" cannot list/);
  });

  it('fails when the object is not there, or the format makes no sense', async () => {
    expect(await ctl('tree deployment/no')).to.include({
      code: 1,
      out: '',
      err: 'Error from server (NotFound): deployments.apps "no" not found\n',
    });
    expect((await ctl('tree deployment/web -o wide')).err).to.include('allowed formats are: json,yaml,name');
    expect((await ctl('tree')).err).to.include('name an object, such as deployment/web');
  });
});
