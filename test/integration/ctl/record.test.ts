import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: default}\ndata: {k: "1"}\n';

describe('ctl --record', () => {
  let server: CtlServer;
  let file: string;
  const ctl = async (...argv: string[]) => {
    const { code, err } = await server.ctl(argv);
    expect(code, err).to.equal(0);
  };
  const cause = async (object = 'configmap/c') =>
    (await server.ctl(['get', object, '-o', 'jsonpath={.metadata.annotations.orch\\.io/change-cause}'])).out;

  before(async () => {
    server = await startCtlServer(['--controllers=none']);
    file = join(server.folder, 'c.yaml');
    writeFileSync(file, manifest);
  });
  after(() => server.stop());

  it('keeps the command line in the object, for every command that changes one', async () => {
    await ctl('create', '-f', file, '--record');
    expect(await cause()).to.equal(`ctl create --filename=${file} --record=true`);
    await ctl('label', 'cm/c', 'a=b');
    expect(await cause(), 'nothing is recorded unasked').to.contain('ctl create');
    await ctl('label', 'cm/c', 'a=c', '--overwrite', '--record');
    expect(await cause()).to.equal('ctl label cm/c a=c --overwrite=true --record=true');
    await ctl('annotate', 'configmap', 'c', 'x=y', '--record');
    expect(await cause()).to.equal('ctl annotate configmap c x=y --record=true');
    await ctl('patch', 'cm', 'c', '-p', '{"data":{"k":"2"}}', '--record');
    expect(await cause()).to.equal('ctl patch cm c --patch={"data":{"k":"2"}} --record=true');
    await ctl('replace', '-f', file, '--record');
    expect(await cause()).to.equal(`ctl replace --filename=${file} --record=true`);
    await ctl('apply', '-f', file, '--server-side', '--force-conflicts', '--record');
    expect(await cause())
      .to.contain('ctl apply ')
      .and.to.contain('--server-side=true');
    await server.ctl(['edit', 'cm/c', '--record'], { env: { EDITOR: 'sed -i s/k:/l:/' } });
    expect(await cause()).to.equal('ctl edit cm/c --record=true');
    await ctl('create', 'deployment', 'd', '--image=i', '--record');
    await ctl('scale', 'deployment/d', '--replicas=0', '--record');
    expect(await cause('deployment/d')).to.equal('ctl scale deployment/d --replicas=0 --record=true');
  });

  it('keeps no secrets', async () => {
    const { err } = await server.ctl(['annotate', 'cm', 'c', 'z=1', '--record', '--token=s3cret', '-v', '8']);
    expect(err).not.to.contain('s3cret');
    expect(await cause()).to.contain('--token=CLASSIFIED');
  });

  it('leaves the live object alone in a rehearsal', async () => {
    const before = await cause();
    await ctl('label', 'cm', 'c', 'q=r', '--record', '--dry-run=server');
    expect(await cause()).to.equal(before);
  });
});
