import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { ownersOf } from '../../support/applier.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe('what the server writes by itself', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  before(async () => {
    directory = await makeTemporaryDirectory();
    server = await startTestServer({
      flags: [`--data-dir=${directory.path}`, '--enable-admission-plugins=NamespaceAutoProvision'],
    });
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });

  it('is written as what clients write: decoded, defaulted, with an owner', async () => {
    const { admin } = server;
    await admin.create(inNamespace('provided', 'configmaps'), configMap('a'));
    const namespace = await admin.expect('GET', '/api/v1/namespaces/provided');
    const { metadata, spec, status } = await admin.create('/api/v1/namespaces', {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name: 'asked' },
    });
    expect([namespace.spec, namespace.status]).to.deep.equal([spec, status]);
    expect(Object.keys(namespace.metadata)).to.have.members(Object.keys(metadata));
    expect(ownersOf(namespace)).to.deep.equal(
      ownersOf({ metadata }).map((owner) => owner.replace(/^\S+/, 'orch-apiserver')),
    );
  });
});
