import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { ApiClient, type JsonObject } from '../support/api-client.ts';
import { ownersOf } from '../support/applier.ts';
import { configMap, deployment, inNamespace } from '../support/objects.ts';
import { type ClientRun, requireReleaseClient, runReleaseClient } from '../support/release-client.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const maps = inNamespace('default', 'configmaps');
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const annotated = `metadata.annotations. metadata.annotations.${annotation}`;
const serverSide = ['apply', '--server-side'];

describe("the release's own client, applying and editing", function () {
  this.timeout(60_000);
  let path: string;
  let server: ServeProcess;
  let admin: ApiClient;
  let directory: TemporaryDirectory;
  before(async function () {
    path = await requireReleaseClient(this);
    directory = await makeTemporaryDirectory();
    server = await startServe([
      '--dialect=kubernetes',
      '--ephemeral',
      '--controllers=none',
      '--disable-admission-plugins=ServiceAccount',
    ]);
    admin = new ApiClient(server.access);
  });
  after(async () => {
    admin?.close();
    await server?.stop();
    await directory?.remove();
  });

  const run = (args: readonly string[], variables: Record<string, string> = {}): Promise<ClientRun> => {
    const connection = [`--kubeconfig=${server.configPath}`, `--cache-dir=${directory.path}`];
    return runReleaseClient(path, [...connection, ...args], { TMPDIR: directory.path, ...variables });
  };
  /** Runs a command that must succeed; its output without the last line break. */
  const expectRun = async (args: readonly string[], variables?: Record<string, string>): Promise<string> => {
    const { code, stdout, stderr } = await run(args, variables);
    expect(code, `${args.join(' ')}: ${stderr}`).to.equal(0);
    return stdout.trimEnd();
  };
  const save = async (...objects: readonly JsonObject[]): Promise<string> => {
    const file = join(directory.path, 'objects.json');
    await writeFile(file, objects.map((object) => JSON.stringify(object)).join('\n'));
    return file;
  };
  const applyArgs = async (command: readonly string[], objects: readonly JsonObject[]) => [
    ...command,
    '-f',
    await save(...objects),
  ];
  const apply = async (command: readonly string[], ...objects: JsonObject[]): Promise<string> =>
    expectRun(await applyArgs(command, objects));
  const tryApply = async (command: readonly string[], ...objects: JsonObject[]): Promise<ClientRun> =>
    run(await applyArgs(command, objects));
  const read = (name: string): Promise<JsonObject> => admin.expect('GET', `${maps}/${name}`);
  const lastApplied = ({ metadata }: JsonObject): JsonObject => JSON.parse(metadata.annotations[annotation]);

  describe('on the server', () => {
    it('creates and changes, under its own name', async () => {
      expect(await apply(serverSide, configMap('own', { k: '1' }))).to.equal(
        'configmap/own serverside-applied',
      );
      expect(await apply(serverSide, configMap('own', { k: '2' }))).to.equal(
        'configmap/own serverside-applied',
      );
      const object = await read('own');
      expect(object.data).to.deep.equal({ k: '2' });
      expect(ownersOf(object)).to.deep.equal(['kubectl Apply v1: data.k']);
      expect(object.metadata).to.not.have.property('annotations');
    });

    it('is told of conflicts, and wins by force', async () => {
      await apply(serverSide, configMap('fought', { k: '1', l: '1' }));
      const command = [...serverSide, '--field-manager=other'];
      const wanted = configMap('fought', { k: '2', l: '2' });
      const { code, stderr } = await tryApply(command, wanted);
      expect(code).to.equal(1);
      expect(stderr).to.match(
        /^error: Apply failed with 2 conflicts: conflicts with "kubectl":\n- \.data\.k\n- \.data\.l\nPlease review/,
      );
      await apply([...command, '--force-conflicts'], wanted);
      const object = await read('fought');
      expect(object.data).to.deep.equal({ k: '2', l: '2' });
      expect(ownersOf(object)).to.deep.equal(['other Apply v1: data.k data.l']);
    });

    it('merges lists by their keys', async () => {
      const app = deployment('merged', { replicas: 2 });
      await apply(serverSide, app);
      const { selector, template } = app.spec;
      const containers = [{ name: 'side', image: 'example/side:1' }];
      const spec = { selector, template: { metadata: template.metadata, spec: { containers } } };
      await apply([...serverSide, '--field-manager=injector'], { ...app, spec });
      const { spec: live } = await admin.expect('GET', '/apis/apps/v1/namespaces/default/deployments/merged');
      expect(live.replicas).to.equal(2);
      const names = live.template.spec.containers.map(({ name }: JsonObject) => name);
      expect(names).to.deep.equal(['main', 'side']);
    });
  });

  describe('changing sides', () => {
    it('moves to the server without conflicts, and keeps its annotation current', async () => {
      expect(await apply(['apply'], configMap('moved', { k: '1', l: '1' }))).to.equal(
        'configmap/moved created',
      );
      expect(ownersOf(await read('moved'))).to.deep.equal([
        `kubectl-client-side-apply Update v1: data. data.k data.l ${annotated}`,
      ]);
      await apply(serverSide, configMap('moved', { k: '2', m: '1' }));
      const object = await read('moved');
      expect(object.data).to.deep.equal({ k: '2', l: '1', m: '1' });
      expect(ownersOf(object)).to.deep.equal([
        'kubectl Apply v1: data.k data.m',
        `kubectl-client-side-apply Update v1: data. data.l ${annotated}`,
      ]);
      expect(object.metadata.annotations[annotation]).to.equal(
        '{"apiVersion":"v1","data":{"k":"2","m":"1"},"kind":"ConfigMap",' +
          '"metadata":{"name":"moved","namespace":"default"}}\n',
      );
    });

    it('goes back to the client, which prunes what was applied on the server', async () => {
      await apply(['apply'], configMap('returned', { k: '1' }));
      await apply(serverSide, configMap('returned', { k: '2', l: '1' }));
      const back = configMap('returned', { k: '3' });
      expect(await apply(['apply'], back)).to.equal('configmap/returned configured');
      const object = await read('returned');
      expect(object.data).to.deep.equal({ k: '3' });
      expect(lastApplied(object).data).to.deep.equal({ k: '3' });
      expect(await apply(['apply'], back)).to.equal('configmap/returned unchanged');
    });

    it('conflicts with what other commands changed', async () => {
      await apply(['apply'], configMap('patched', { k: '1' }));
      await expectRun(['patch', 'configmap', 'patched', '-p', '{"data":{"k":"2"}}']);
      const { code, stderr } = await tryApply(serverSide, configMap('patched', { k: '3' }));
      expect(code).to.equal(1);
      expect(stderr).to.match(
        // Whoever owns an empty map, as the client does whose only key was changed, owns what is in it.
        /^error: Apply failed with 2 conflicts: conflicts with "kubectl-client-side-apply" using v1:\n- \.data\.k\nconflicts with "kubectl-patch" using v1:\n- \.data\.k\n/,
      );
    });

    it('takes nothing over under another name', async () => {
      await apply(['apply'], configMap('strange', { k: '1' }));
      const command = [...serverSide, '--field-manager=stranger'];
      const { code, stderr } = await tryApply(command, configMap('strange', { k: '2' }));
      expect(code).to.equal(1);
      expect(stderr).to.match(/conflict with "kubectl-client-side-apply" using v1: \.data\.k\n/);
    });
  });

  describe('before it writes', () => {
    const differs = { code: 1, lines: ['-  k: "1"', '+  k: "2"'] };
    const commands: [where: string, flags: string[]][] = [
      ['on the client', []],
      ['on the server', ['--server-side']],
    ];
    for (const [where, flags] of commands) {
      it(`shows the difference that applying ${where} would make`, async () => {
        const name = `differing-${flags.length}`;
        await apply(['apply', ...flags], configMap(name, { k: '1' }));
        const before = await read(name);
        const same = await tryApply(['diff', ...flags], configMap(name, { k: '1' }));
        expect([same.code, same.stdout], same.stderr).to.deep.equal([0, '']);
        const other = await tryApply(['diff', ...flags], configMap(name, { k: '2' }));
        expect(other.code, other.stderr).to.equal(differs.code);
        expect(other.stdout.split('\n')).to.include.members(differs.lines);
        expect(await read(name)).to.deep.equal(before);
      });

      it(`rehearses applying ${where}`, async () => {
        const name = `rehearsed-${flags.length}`;
        const command = ['apply', ...flags, '--dry-run=server'];
        expect(await apply(command, configMap(name, { k: '1' }))).to.match(/ \(server dry run\)$/);
        expect((await admin.get(`${maps}/${name}`)).code).to.equal(404);
      });
    }

    it('finds wrong fields by itself', async () => {
      const { code, stderr } = await tryApply(serverSide, { ...configMap('wrong'), spec: {} });
      expect(code).to.equal(1);
      expect(stderr).to.match(/unknown field "spec" in io\.k8s\.api\.core\.v1\.ConfigMap/);
    });
  });

  describe('on the client', () => {
    it('creates, finds nothing to change, changes, and removes what it applied before', async () => {
      const results = [
        await apply(['apply'], configMap('steps', { k: '1', l: '1' })),
        await apply(['apply'], configMap('steps', { k: '1', l: '1' })),
        await apply(['apply'], configMap('steps', { k: '2' })),
      ];
      expect(results).to.deep.equal([
        'configmap/steps created',
        'configmap/steps unchanged',
        'configmap/steps configured',
      ]);
      const object = await read('steps');
      expect(object.data).to.deep.equal({ k: '2' });
      expect(lastApplied(object).data).to.deep.equal({ k: '2' });
    });

    it('prunes what is not applied any more', async () => {
      const labelled = (name: string) => configMap(name, { k: '1' }, { labels: { app: 'pruned' } });
      const command = ['apply', '--prune', '-l', 'app=pruned', '--prune-whitelist=core/v1/ConfigMap'];
      const both = await apply(command, labelled('stays'), labelled('goes'));
      expect(both.split('\n')).to.deep.equal(['configmap/stays created', 'configmap/goes created']);
      const one = await apply(command, labelled('stays'));
      expect(one.split('\n')).to.deep.equal(['configmap/stays unchanged', 'configmap/goes pruned']);
      expect((await admin.get(`${maps}/goes`)).code).to.equal(404);
    });

    const patches: [type: string, patch: string, data: Record<string, string>][] = [
      [
        'json',
        '[{"op":"test","path":"/data/k","value":"1"},{"op":"move","from":"/data/k","path":"/data/l"}]',
        { l: '1' },
      ],
      ['merge', '{"data":{"k":null,"l":"2"}}', { l: '2' }],
      ['strategic', '{"data":{"$patch":"replace","m":"3"}}', { m: '3' }],
    ];
    for (const [type, patch, data] of patches) {
      it(`patches: ${type}`, async () => {
        const name = `patch-${type}`;
        await apply(serverSide, configMap(name, { k: '1' }));
        const args = ['patch', 'configmap', name, `--type=${type}`, '-p', patch];
        expect(await expectRun(args)).to.equal(`configmap/${name} patched`);
        const object = await read(name);
        expect(object.data).to.deep.equal(data);
        expect(ownersOf(object)).to.deep.equal([`kubectl-patch Update v1: data.${Object.keys(data)[0]}`]);
      });
    }

    it('says when a patch changes nothing, and when it cannot be', async () => {
      await apply(serverSide, configMap('still', { k: '1' }));
      const patch = (type: string, text: string) =>
        run(['patch', 'configmap', 'still', `--type=${type}`, '-p', text]);
      expect((await patch('merge', '{"data":{"k":"1"}}')).stdout).to.equal(
        'configmap/still patched (no change)\n',
      );
      const { code, stderr } = await patch('json', '[{"op":"remove","path":"/data/none"}]');
      expect(code).to.equal(1);
      expect(stderr).to.match(/^The request is invalid\n$/);
    });

    it('edits what an editor leaves', async () => {
      await apply(['apply'], configMap('edited', { k: 'before' }));
      const editor = join(directory.path, 'editor.sh');
      await writeFile(editor, '#!/bin/sh\nsed -i "s/k: before/k: after/" "$1"\n');
      await chmod(editor, 0o700);
      const args = ['edit', 'configmap', 'edited'];
      const variables = { KUBE_EDITOR: editor };
      expect(await expectRun(args, variables)).to.equal('configmap/edited edited');
      const object = await read('edited');
      expect(object.data).to.deep.equal({ k: 'after' });
      expect(ownersOf(object)).to.deep.equal([
        `kubectl-client-side-apply Update v1: data ${annotated}`,
        'kubectl-edit Update v1: data.k',
      ]);
      const { code, stderr } = await run(args, variables);
      expect(code).to.equal(0);
      expect(stderr).to.match(/Edit cancelled, no changes made\./);
    });
  });
});
