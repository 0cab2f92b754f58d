import { expect } from 'chai';
import { asJsonObject } from '../../../src/base/index.ts';
import { ApiClient } from '../../support/api-client.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const selector = { matchLabels: { app: 'web' } };
const template = (version: string, labels = {}) => ({
  metadata: { labels: { app: 'web', ...labels } },
  spec: { containers: [{ name: 'c', image: `web:${version}` }] },
});
const apps = '/apis/apps/v1/namespaces/default';

// No controller runs, so that the revisions and the status are those that the test writes as a controller would.
describe('ctl rollout', () => {
  let server: CtlServer;
  let client: ApiClient;
  const ctl = async (...argv: string[]) => {
    const { code, out, err } = await server.ctl(['rollout', ...argv]);
    return { code, out, err };
  };
  const image = async (object: string) =>
    (await server.ctl(['get', object, '-o', 'jsonpath={.spec.template.spec.containers[0].image}'])).out;

  /** Makes an object, and what keeps its two revisions. */
  async function make(kind: 'Deployment' | 'DaemonSet' | 'StatefulSet', plural: string, spec: object) {
    const owner = await client.expect('POST', `${apps}/${plural}`, {
      body: {
        apiVersion: 'apps/v1',
        kind,
        metadata: { name: 'web' },
        spec: { selector, template: template('2'), ...spec },
      },
    });
    const { uid } = asJsonObject(owner.metadata);
    const ownerReferences = [{ apiVersion: 'apps/v1', kind, name: 'web', uid, controller: true }];
    for (const [version, cause] of [
      ['1', 'ctl create'],
      ['2', ''],
    ] as const) {
      const causes = cause === '' ? {} : { 'orch.io/change-cause': cause };
      const name = `${plural}-${version}`;
      if (kind === 'Deployment') {
        const labels = { app: 'web', 'pod-template-hash': version };
        const annotations = { 'deployment.orch.io/revision': version, ...causes };
        const set = { selector: { matchLabels: labels }, replicas: 0, template: template(version, labels) };
        await client.expect('POST', `${apps}/replicasets`, {
          body: {
            apiVersion: 'apps/v1',
            kind: 'ReplicaSet',
            metadata: { name, labels, annotations, ownerReferences },
            spec: set,
          },
        });
      } else {
        // The controller keeps the template as the server has it, defaults included.
        const kept = JSON.stringify(asJsonObject(owner.spec).template).replace('web:2', `web:${version}`);
        const data = { spec: { template: { ...asJsonObject(JSON.parse(kept)), $patch: 'replace' } } };
        const metadata = { name, labels: { app: 'web' }, annotations: causes, ownerReferences };
        await client.expect('POST', `${apps}/controllerrevisions`, {
          body: {
            apiVersion: 'apps/v1',
            kind: 'ControllerRevision',
            metadata,
            revision: Number(version),
            data,
          },
        });
      }
    }
  }

  const setStatus = (status: object) =>
    client.expect('PATCH', `${apps}/deployments/web/status`, {
      contentType: 'application/merge-patch+json',
      body: { status },
    });

  before(async () => {
    server = await startCtlServer(['--controllers=none']);
    const { url, authorityPem, adminCertificatePem, adminKeyPem } = server.server;
    client = new ApiClient({ url, authorityPem, certificatePem: adminCertificatePem, keyPem: adminKeyPem });
    await make('Deployment', 'deployments', { replicas: 2 });
    await make('DaemonSet', 'daemonsets', {});
    await make('StatefulSet', 'statefulsets', { serviceName: 's' });
  });
  after(async () => {
    client.close();
    await server.stop();
  });

  for (const [type, name] of [
    ['deployment', 'deployment.apps/web'],
    ['daemonset', 'daemonset.apps/web'],
    ['statefulset', 'statefulset.apps/web'],
  ] as const) {
    it(`shows the revisions of a ${type}, and goes back to one`, async () => {
      expect((await ctl('history', `${type}/web`)).out).to.equal(
        `${name} \nREVISION  CHANGE-CAUSE\n1         ctl create\n2         <none>\n\n`,
      );
      expect((await ctl('history', type, 'web', '--revision=1')).out)
        .to.contain(`${name} with revision #1\nPod Template:\n  Labels:\tapp=web\n`)
        .and.to.contain('    Image:\tweb:1\n');
      expect((await ctl('history', `${type}/web`, '--revision=9')).err).to.equal(
        'error: unable to find the specified revision\n',
      );
      expect((await ctl('undo', `${type}/web`, '--dry-run=client')).out).to.contain('    Image:\tweb:1\n');
      expect((await ctl('undo', `${type}/web`, '--dry-run=server')).out).to.equal(
        `${name} rolled back (server dry run)\n`,
      );
      expect(await image(`${type}/web`)).to.equal('web:2');
      expect((await ctl('undo', `${type}/web`, '--to-revision=2')).out).to.equal(
        `${name} skipped rollback (current template already matches revision 2)\n`,
      );
      expect((await ctl('undo', `${type}/web`)).out).to.equal(`${name} rolled back\n`);
      expect(await image(`${type}/web`)).to.equal('web:1');
      expect((await ctl('undo', `${type}/web`, '--to-revision=7')).err).to.equal(
        'error: unable to find specified revision 7 in history\n',
      );
    });
  }

  it('pauses and resumes deployments, and nothing else', async () => {
    expect((await ctl('pause', 'deployment/web')).out).to.equal('deployment.apps/web paused\n');
    expect((await ctl('pause', 'deployment/web')).err).to.equal(
      'error: deployments.apps "web" is already paused\n',
    );
    expect((await ctl('restart', 'deployment/web')).err).to.equal(
      `error: deployments.apps "web" can't restart paused deployment (run rollout resume first)\n`,
    );
    expect((await ctl('undo', 'deployment/web', '--to-revision=2')).err).to.contain(
      'error: you cannot rollback a paused deployment; resume it first',
    );
    expect((await ctl('resume', 'deployment/web')).out).to.equal('deployment.apps/web resumed\n');
    expect((await ctl('resume', 'deployment/web')).err).to.equal(
      'error: deployments.apps "web" is not paused\n',
    );
    expect(await ctl('pause', 'daemonset/web', 'namespace/default')).to.deep.equal({
      code: 1,
      out: '',
      err: 'error: daemonsets.apps "web" pausing is not supported\nerror: namespaces "default" pausing is not supported\n',
    });
    expect((await ctl('undo')).err).to.equal('error: required resource not specified\n');
  });

  it('restarts by an annotation of the template', async () => {
    expect((await ctl('restart', 'deployment/web', 'daemonset/web', 'statefulset/web')).out).to.equal(
      'deployment.apps/web restarted\ndaemonset.apps/web restarted\nstatefulset.apps/web restarted\n',
    );
    const { out } = await server.ctl([
      'get',
      'sts/web',
      '-o',
      'jsonpath={.spec.template.metadata.annotations}',
    ]);
    expect(out).to.match(/^\{"ctl\.orch\.io\/restartedAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"\}$/);
  });

  it('follows a rollout until it is done, once, or for a time', async () => {
    const half =
      'Waiting for deployment "web" rollout to finish: 1 out of 2 new replicas have been updated...\n';
    await setStatus({ observedGeneration: 99, replicas: 2, updatedReplicas: 1 });
    expect((await ctl('status', 'deployment/web', '--watch=false')).out).to.equal(half);
    expect(await ctl('status', 'deployment/web', '--timeout=100ms')).to.deep.equal({
      code: 1,
      out: half,
      err: 'error: timed out waiting for the condition\n',
    });
    const followed = ctl('status', 'deployment/web');
    await setStatus({ updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 });
    const { code, out } = await followed;
    expect(code).to.equal(0);
    // It may have begun after the change.
    expect(out).to.match(/^(Waiting .*\n)?deployment "web" successfully rolled out\n$/);
    expect((await ctl('status', 'deployment/web', '--revision=5')).err).to.equal(
      'error: desired revision (5) is different from the running revision (0)\n',
    );
    expect((await ctl('status', 'deployment/web', 'daemonset/web')).err).to.equal(
      'error: you may only specify a single resource type\n',
    );
    expect((await ctl('status', 'namespace/default')).err).to.equal(
      'error: no status viewer has been implemented for Namespace\n',
    );
  });

  it('ends when what it follows is deleted', async () => {
    const followed = ctl('status', 'statefulset/web');
    await client.expect('DELETE', `${apps}/statefulsets/web`);
    const { code, err } = await followed;
    expect(code).to.equal(1);
    // It may have been gone when the command began.
    expect(err).to.match(/^error: object has been deleted\n$|^Error from server \(NotFound\)/);
  });
});
