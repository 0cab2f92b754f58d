import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ApiClient } from '../../support/api-client.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';

describe('ctl, what was before', () => {
  let server: CtlServer;
  let client: ApiClient;
  /** When nothing was made yet. */
  let begun: string;
  const ctl = async (...argv: string[]) => {
    const { code, out, err } = await server.ctl(argv);
    return { code, out, err };
  };
  const print = async (...argv: string[]) => {
    const { code, out, err } = await ctl(...argv);
    expect([code, err], argv.join(' ')).to.deep.equal([0, '']);
    return out;
  };
  /** Versions of the map `web`: made, changed, labelled. */
  const versions: string[] = [];
  const version = async () => print('get', 'cm', 'web', '-o', 'jsonpath={.metadata.resourceVersion}');

  before(async () => {
    server = await startCtlServer(['--controllers=none', '--history=1h']);
    begun = new Date().toISOString();
    const { url, authorityPem, adminCertificatePem: certificatePem, adminKeyPem: keyPem } = server.server;
    client = new ApiClient({ url, authorityPem, certificatePem, keyPem });
    await print('create', 'cm', 'web', '--from-literal=step=1');
    versions.push(await version());
    await print('create', 'cm', 'other');
    await print('patch', 'cm', 'web', '-p', '{"data":{"step":"2","more":"\\u001b[31m"}}');
    versions.push(await version());
    await print('label', 'cm', 'web', 'tier=front');
    versions.push(await version());
  });
  after(async () => {
    client.close();
    await server.stop();
  });

  it('log shows each version with its writers and fields, the newest first', async () => {
    const shown = (await print('log', 'cm/web')).replace(/\d{4}-[\dT:-]+Z \(\d+s ago\)/g, 'TIME');
    expect(shown).to.equal(`version ${versions[2]}  TIME  ctl-label (Update)
    + metadata.labels.tier: "front"
version ${versions[1]}  TIME  ctl-patch (Update)
    ~ data.step: "1" -> "2"
    + data.more: "\\u001b[31m"
version ${versions[0]}  TIME  ctl-create (Update)  created
`);
    expect(await print('log', 'cm', 'web', '--limit=1')).to.not.include('data.step');
    const document = JSON.parse(await print('log', 'cm/web', '-o', 'json'));
    expect(document.object).to.equal('configmap/web');
    expect(
      document.versions.map(({ resourceVersion }: { resourceVersion: string }) => resourceVersion),
    ).to.deep.equal(versions.toReversed());
    const documents = (await print('log', 'cm/web', 'cm/other', '-o', 'yaml')).split('---\n');
    expect(documents).to.have.length(2);
    expect(documents[0]).to.include('path: data.step');
    expect(documents[1]).to.include('object: configmap/other');
  });

  it('log shows no values of secrets', async () => {
    await print('create', 'secret', 'generic', 'keys', '--from-literal=word=first');
    await print('patch', 'secret', 'keys', '-p', '{"stringData":{"word":"second"}}');
    for (const format of [[], ['-o', 'json']]) {
      const shown = await print('log', 'secret/keys', ...format);
      expect(shown).to.include('data.word');
      for (const word of ['first', 'second']) {
        expect(shown).to.not.include(word);
        expect(shown).to.not.include(Buffer.from(word).toString('base64'));
      }
    }
  });

  it('get --at shows a version: an object, a list, a table', async () => {
    const path = 'jsonpath={.data.step}';
    expect(await print('get', 'cm', 'web', `--at=${versions[0]}`, '-o', path)).to.equal('1');
    expect(await print('get', 'cm/web', '-o', path)).to.equal('2');
    expect(await print('get', 'cm', `--at=${versions[0]}`, '-o', 'name')).to.equal('configmap/web\n');
    expect(await print('get', 'cm', `--at=${versions[1]}`, '--chunk-size=1', '-o', 'name')).to.equal(
      'configmap/other\nconfigmap/web\n',
    );
    expect(await print('get', 'cm', 'web', `--at=${versions[0]}`)).to.match(/^NAME +DATA +AGE\nweb +1 /);
    expect(await print('get', 'cm', `--at=${begun}`, '-o', 'name'), 'a time').to.equal('');
  });

  it('get --at says what is wrong, and what was not there', async () => {
    for (const [argv, message] of [
      [['cm', '--at=yesterday'], 'expected a duration such as 10m'],
      [['cm', '--at=-10m'], 'lies in the future'],
      [['cm', '--at=10m', '-w'], 'it cannot be watched'],
      [['cm', '--at=10h'], 'the server no longer has what there was at 20'],
      [['cm', '--at=99999999'], 'the server has no resource version 99999999 yet'],
      [['cm', 'other', `--at=${versions[0]}`], 'configmaps "other" not found'],
    ] as const) {
      const { code, out, err } = await ctl('get', ...argv);
      expect([code, out], argv.join(' ')).to.deep.equal([1, '']);
      expect(err).to.include(message);
    }
    expect(await ctl('get', 'cm', 'other', `--at=${versions[0]}`, '--ignore-not-found')).to.deep.equal({
      code: 0,
      out: '',
      err: '',
    });
  });

  it('undo puts back the version before, or a given one, and says what that changes', async () => {
    expect(await print('undo', 'cm/web', `--to=${versions[0]}`, '--dry-run=client')).to.equal(
      `configmap/web put back to version ${versions[0]} (dry run)\n    - metadata.labels.tier: "front"\n    - data.more: "\\u001b[31m"\n    ~ data.step: "2" -> "1"\n`,
    );
    expect(await version(), 'a rehearsal').to.equal(versions[2]);
    expect(await print('undo', 'cm', 'web')).to.equal(
      `configmap/web put back to version ${versions[1]}\n    - metadata.labels.tier: "front"\n`,
    );
    const { metadata, data } = await client.expect('GET', `${maps}/web`);
    expect([metadata.labels, data.step]).to.deep.equal([undefined, '2']);
    expect(metadata.managedFields.map(({ manager }: { manager: string }) => manager)).to.include('ctl-patch');
    expect(await print('undo', 'cm', 'web', `--to=${versions[1]}`)).to.equal(
      `configmap/web is as it was in version ${versions[1]}\n`,
    );
    expect(await print('undo', 'cm', 'web', `--to=${versions[0]}`, '-o', 'jsonpath={.data}')).to.equal(
      '{"step":"1"}',
    );
  });

  it('undo leaves the status and what the server writes alone, and needs something to go back to', async () => {
    const path = join(server.folder, 'pv.yaml');
    const text = (size: string) =>
      `apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v}\nspec:\n  capacity: {storage: ${size}}\n  accessModes: [ReadWriteOnce]\n  hostPath: {path: /x}\n`;
    writeFileSync(path, text('1Gi'));
    await print('apply', '-f', path);
    expect((await ctl('undo', 'pv/v')).err).to.include('there is nothing to undo');
    writeFileSync(path, text('2Gi'));
    await print('apply', '-f', path);
    const status = '/api/v1/persistentvolumes/v/status';
    await client.expect('PATCH', status, {
      contentType: 'application/merge-patch+json',
      body: { status: { phase: 'Available' } },
    });
    await print('undo', 'pv/v');
    const undone = await client.expect('GET', '/api/v1/persistentvolumes/v');
    expect([undone.spec.capacity.storage, undone.status.phase]).to.deep.equal(['1Gi', 'Available']);
    expect(await print('diff', '-f', path).catch(() => 'differs')).to.equal('differs');
  });

  describe('diff --since', () => {
    const since = async (...argv: string[]) => {
      const { code, out, err } = await ctl('diff', ...argv);
      const changes = out.split('\n').filter((line) => /^[-+](?![-+])/.test(line));
      return { code, changes, err };
    };

    it('shows what changed in an object, and ends as diff does', async () => {
      const from = `--since=${versions[0]}`;
      await print('create', 'cm', 'moved', '--from-literal=step=1');
      const made = await print('get', 'cm', 'moved', '-o', 'jsonpath={.metadata.resourceVersion}');
      await print('annotate', 'cm', 'moved', 'note=x', 'last-applied=y');
      await print('patch', 'cm', 'moved', '-p', '{"data":{"step":"2"}}');
      expect(await since('cm/moved', `--since=${made}`)).to.deep.equal({
        code: 1,
        changes: [
          '-  step: "1"',
          '+  step: "2"',
          '+  annotations:',
          '+    last-applied: "y"',
          '+    note: x',
        ],
        err: '',
      });
      const last = await print('get', 'cm', 'moved', '-o', 'jsonpath={.metadata.resourceVersion}');
      expect(await since('cm', 'moved', `--since=${last}`)).to.deep.equal({ code: 0, changes: [], err: '' });
      const all = await since('cm/moved', from);
      expect([all.code, all.changes[0]]).to.deep.equal([1, '+apiVersion: v1']);
      expect((await ctl('diff', 'cm/moved', `--since=${made}`, '--show-managed-fields')).out).to.include(
        'resourceVersion',
      );
    });

    it('takes types, selectors and files, and shows what went', async () => {
      const from = `--since=${new Date().toISOString()}`;
      for (const name of ['kept', 'gone']) await print('create', 'cm', name);
      await print('label', 'cm', 'kept', 'gone', 'set=1');
      const both = await print('get', 'cm', 'gone', '-o', 'jsonpath={.metadata.resourceVersion}');
      await print('delete', 'cm', 'gone');
      const now = await ctl('diff', 'cm', '-l', 'set=1', `--since=${both}`);
      expect([now.code, now.out.match(/^diff .*/gm)?.length]).to.deep.equal([1, 1]);
      expect(now.out)
        .to.match(/^diff .*WAS-.*default\.gone .*IS-.*default\.gone$/m)
        .and.include('-apiVersion: v1');
      expect((await ctl('diff', 'cm', '-A', from)).out)
        .to.include('default.kept')
        .and.not.include('default.gone');
      const path = join(server.folder, 'kept.yaml');
      writeFileSync(path, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\ndata: {no: effect}\n');
      expect((await since('-f', path, `--since=${both}`)).changes).to.deep.equal([]);
      expect((await ctl('diff', 'cm', 'gone', `--since=${both}`)).code).to.equal(1);
    });

    it('shows no values of secrets', async () => {
      await print('create', 'secret', 'generic', 'door', '--from-literal=word=first');
      const made = await print('get', 'secret', 'door', '-o', 'jsonpath={.metadata.resourceVersion}');
      await print('patch', 'secret', 'door', '-p', '{"stringData":{"word":"second"}}');
      expect((await since('secret/door', `--since=${made}`)).changes).to.deep.equal([
        "-  word: '*** (before)'",
        "+  word: '*** (after)'",
      ]);
    });

    it('says what is wrong', async () => {
      for (const [argv, message] of [
        [['cm/nothing', '--since=0s'], 'configmaps "nothing" not found'],
        [['cm', '--since=yesterday'], '--since=yesterday: expected a duration'],
        [['cm', '--since=10h'], 'the server no longer has what there was at'],
        [['cm', '--since=0s', '--server-side'], 'nothing is applied'],
        [['-f', '-', '-A'], '--all-namespaces only works with --since'],
        [['--since=0s'], 'You must provide one or more resources'],
      ] as const) {
        const { code, changes, err } = await since(...argv);
        expect([code, changes], argv.join(' ')).to.deep.equal([2, []]);
        expect(err).to.include(message);
      }
    });
  });

  it('forbids log to whoever may not list', async () => {
    const as = '--as=reader';
    expect((await ctl('log', 'cm/web', as)).err).to.include('forbidden');
    const rbac = 'rbac.authorization.orch.io';
    await client.create(`/apis/${rbac}/v1/clusterroles`, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'getter' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
    });
    await print('create', 'clusterrolebinding', 'getter', '--clusterrole=getter', '--user=reader');
    const { code, out, err } = await ctl('log', 'secret/keys', as);
    expect([code, out]).to.deep.equal([1, '']);
    expect(err).to.include('cannot list resource "secrets"');
  });
});
