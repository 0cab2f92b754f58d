import { expect } from 'chai';
import { type CtlServer, quietControllers, startCtlServer } from './support/ctl-server.ts';

describe('ctl why', () => {
  let server: CtlServer;
  const ctl = (line: string, stdin?: string) =>
    server.ctl(line.split(' '), stdin === undefined ? {} : { stdin });
  before(async () => {
    server = await startCtlServer([`${quietControllers},deployment,replicaset,resourcequota`]);
  });
  after(() => server.stop());

  it('goes from a deployment to the quota that its replica set meets', async () => {
    await ctl('create quota small --hard=pods=0');
    await ctl('wait --for=jsonpath={.status.hard.pods}=0 quota/small');
    await ctl('create deployment web --image=shop/web');
    await ctl('wait --for=condition=ReplicaFailure deployment/web');
    const { code, out, err } = await ctl('why deployment/web');
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out).to.match(
      /^deployment\/web -n default:\n {2}replicaset\/web-\w+ cannot make pods: .*exceeded quota: small/,
    );
    expect(out).to.include('    as seen in: condition ReplicaFailure=True since ');
    expect(out).to.include('    next: ctl describe quota -n default\n');
    expect(out).to.include(
      'deployment/web has 0 of 1 pods available\n    as seen in: status.availableReplicas\n',
    );
    await ctl('delete deployment/web quota/small');
  });

  it('says why a pod waits, as text and as data, and never shows a secret', async () => {
    await ctl('create secret generic keys --from-literal=token=hunter2');
    await ctl('run web --image=shop/web --env=PASSWORD=hunter2');
    const { out } = await ctl('why pod web');
    expect(out).to.include(
      'pod/web waits for the scheduler default-scheduler, which has not said anything of it\n',
    );
    const { object, isWell, findings, unread } = JSON.parse((await ctl('why pod/web -o json')).out);
    expect(object).to.include({ apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'default' });
    expect({ isWell, unread }).to.deep.equal({ isWell: false, unread: [] });
    expect(findings[0]).to.include({ level: 'cause', about: 'pod/web', reason: 'NotScheduled' });
    const several = await ctl('why pod/web secret/keys -o yaml');
    expect(several.out).to.match(/^items:\n/);
    expect(several.out).not.to.include('hunter2');
  });

  it('names the finalizer that holds an object', async () => {
    await ctl('create configmap held');
    expect((await ctl('why configmap/held')).out).to.equal('configmap/held -n default: all is well\n');
    await ctl('patch configmap held --type=merge -p {"metadata":{"finalizers":["shop.example/hold"]}}');
    await ctl('delete configmap held --wait=false');
    const { out } = await ctl('why configmap/held');
    expect(out).to.include('take away the finalizer shop.example/hold');
  });

  it('fails when the object is not there, or the format makes no sense', async () => {
    const missing = await ctl('why pod/no');
    expect(missing).to.include({
      code: 1,
      out: '',
      err: 'Error from server (NotFound): pods "no" not found\n',
    });
    expect((await ctl('why pod/web -o name')).err).to.include('allowed formats are: json,yaml');
    expect((await ctl('why')).err).to.include('name an object, such as pod/web');
  });
});
