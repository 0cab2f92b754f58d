import { expect } from 'chai';
import { ApiClient } from '../../support/api-client.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const node = (name: string) => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {zone: a}}
---
`;
const pod = (name: string, on: string, owner = '') => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: default, labels: {pod: ${name}}${owner}}
spec: {nodeName: ${on}, terminationGracePeriodSeconds: 0, containers: [{name: c, image: i}]}
---
`;
const managed =
  ', ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: rs, uid: 11111111-1111-1111-1111-111111111111, controller: true}]';
const budget = `apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: b, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {pod: kept}}}
`;

// The answers are those of the client of release 1.20 to the same objects.
describe('ctl cordon, uncordon, drain and taint', () => {
  let server: CtlServer;
  const ctl = async (...argv: string[]) => {
    const { code, out, err } = await server.ctl(argv);
    return { code, out, err };
  };
  const make = async (stdin: string) => {
    const { code, err } = await server.ctl(['apply', '-f', '-'], { stdin });
    expect(code, err).to.equal(0);
  };
  const pods = async () => (await ctl('get', 'pods', '-o', 'name')).out;

  before(async () => {
    server = await startCtlServer([
      '--controllers=none',
      '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
    ]);
    await make(node('n1') + node('n2'));
  });
  after(() => server.stop());
  afterEach(() => ctl('delete', 'pods,pdb', '--all', '--force', '--grace-period=0'));

  it('turn nodes away and back, once', async () => {
    expect(await ctl('cordon', 'n1')).to.deep.equal({ code: 0, out: 'node/n1 cordoned\n', err: '' });
    expect((await ctl('cordon', '-l', 'zone=a')).out).to.equal(
      'node/n1 already cordoned\nnode/n2 cordoned\n',
    );
    expect((await ctl('get', 'node', 'n1', '-o', 'jsonpath={.spec.unschedulable}')).out).to.equal('true');
    expect((await ctl('uncordon', 'n1', 'n2')).out).to.equal('node/n1 uncordoned\nnode/n2 uncordoned\n');
    expect((await ctl('get', 'node', 'n1', '-o', 'jsonpath={.spec.unschedulable}')).out).to.equal('');
  });

  it('say what is wrong with the command line', async () => {
    expect((await ctl('cordon')).err).to.equal(
      `error: USAGE: cordon NODE [flags]\nSee 'ctl cordon -h' for help and examples\n`,
    );
    expect((await ctl('drain', 'n1', '-l', 'a=b')).err).to.contain(
      'cannot specify both a node name and a --selector option',
    );
    expect((await ctl('cordon', 'ns/default')).err).to.equal(
      'error: expected resource of type node, got "/v1, Resource=namespaces"\n',
    );
    expect((await ctl('uncordon', 'n9')).err).to.equal(
      'Error from server (NotFound): nodes "n9" not found\n',
    );
    expect((await ctl('drain', 'n1', '--pod-selector', '==')).err).to.equal(
      'error: --pod-selector=<pod_selector> must be a valid label selector\n',
    );
  });

  it('refuse to take pods away that nobody makes anew, and do by force', async () => {
    await make(pod('bare', 'n1') + pod('set', 'n1', managed));
    const refused = await ctl('drain', 'n1', '--disable-eviction');
    expect(refused.code).to.equal(1);
    expect(refused.err).to.equal(
      'error: unable to drain node "n1", aborting command...\n\nThere are pending nodes to be drained:\n n1\n' +
        'error: cannot delete Pods not managed by ReplicationController, ReplicaSet, Job, DaemonSet or StatefulSet (use --force to override): default/bare\n',
    );
    expect(await pods()).to.equal('pod/bare\npod/set\n');
    const tried = await ctl('drain', 'n1', '--force', '--dry-run=server');
    expect(tried.out).to.contain('pod/set evicted (server dry run)\n');
    expect(await pods()).to.equal('pod/bare\npod/set\n');
    const forced = await ctl('drain', 'n1', '--force');
    expect(forced.err).to.contain('WARNING: deleting Pods not managed by');
    expect(forced.out).to.contain('pod/bare evicted\n').and.to.contain('node/n1 drained\n');
    expect(await pods()).to.equal('');
  });

  it('keep budgets, until the time is over or they are not asked', async () => {
    await make(pod('kept', 'n2', managed) + budget);
    const { url, authorityPem, adminCertificatePem, adminKeyPem } = server.server;
    const access = { url, authorityPem, certificatePem: adminCertificatePem, keyPem: adminKeyPem };
    const client = new ApiClient(access);
    await client.expect('PATCH', '/api/v1/namespaces/default/pods/kept/status', {
      contentType: 'application/merge-patch+json',
      body: { status: { phase: 'Running' } },
    });
    client.close();
    const { code, err } = await ctl('drain', 'n2', '--timeout=1ms');
    expect(code).to.equal(1);
    expect(err).to.contain(
      `error when evicting pods/"kept" -n "default" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.\n`,
    );
    expect(err).to.contain('global timeout reached: 1ms\npod/kept\nerror: unable to drain node "n2"');
    expect(await pods()).to.equal('pod/kept\n');
    expect((await ctl('drain', 'n2', '--disable-eviction')).out).to.equal(
      'node/n2 already cordoned\npod/kept deleted\nnode/n2 drained\n',
    );
  });

  it('set, replace and take away taints', async () => {
    const taints = async () =>
      (
        await ctl(
          'get',
          'node',
          'n1',
          '-o',
          'jsonpath={range .spec.taints[*]}{.key}={.value}:{.effect} {end}',
        )
      ).out;
    await ctl('uncordon', 'n1');
    expect((await ctl('taint', 'nodes', 'n1', 'a=b:NoSchedule')).out).to.equal('node/n1 tainted\n');
    expect((await ctl('taint', 'nodes', 'n1', 'a=c:NoSchedule')).err).to.equal(
      'error: node n1 already has a taint(s) with same effect(s) and --overwrite is false\n',
    );
    expect((await ctl('taint', 'nodes', 'n1', 'a=c:NoSchedule', '--overwrite')).out).to.equal(
      'node/n1 modified\n',
    );
    expect(await taints()).to.equal('a=c:NoSchedule ');
    expect((await ctl('taint', 'nodes', '--all', 'z:NoExecute')).out).to.equal(
      'node/n1 tainted\nnode/n2 tainted\n',
    );
    expect((await ctl('taint', 'nodes', '-l', 'zone=a', 'z-')).out).to.equal(
      'node/n1 untainted\nnode/n2 untainted\n',
    );
    expect((await ctl('taint', 'nodes', 'n1', 'a-', '--dry-run=server')).out).to.equal(
      'node/n1 untainted (server dry run)\n',
    );
    expect((await ctl('taint', 'nodes', 'n1', 'a-')).out).to.equal('node/n1 untainted\n');
    expect(await taints()).to.equal('');
  });
});
