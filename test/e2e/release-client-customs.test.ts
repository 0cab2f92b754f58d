import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { requireReleaseClient, runReleaseClient } from '../support/release-client.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crontabs.stable.example.com' },
  spec: {
    group: 'stable.example.com',
    scope: 'Namespaced',
    names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', shortNames: ['ct'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  image: { type: 'string', description: 'What is run.' },
                  replicas: { type: 'integer' },
                },
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [{ name: 'Image', type: 'string', jsonPath: '.spec.image' }],
      },
    ],
  },
};
const cronTab = {
  apiVersion: 'stable.example.com/v1',
  kind: 'CronTab',
  metadata: { name: 'a' },
  spec: { image: 'one', replicas: 1 },
};

describe("the release's own client, with custom resources", function () {
  this.timeout(60_000);
  let path: string;
  let server: ServeProcess;
  let directory: TemporaryDirectory;
  before(async function () {
    path = await requireReleaseClient(this);
    directory = await makeTemporaryDirectory();
    server = await startServe([
      '--dialect=kubernetes',
      '--ephemeral',
      '--disable-admission-plugins=ServiceAccount',
    ]);
  });
  after(async () => {
    await server?.stop();
    await directory?.remove();
  });

  const run = async (args: readonly string[], variables: Record<string, string> = {}): Promise<string> => {
    const connection = [`--kubeconfig=${server.configPath}`, `--cache-dir=${directory.path}`];
    const env = { TMPDIR: directory.path, ...variables };
    const { code, stdout, stderr } = await runReleaseClient(path, [...connection, ...args], env);
    expect(code, `${args.join(' ')}: ${stderr}`).to.equal(0);
    return stdout.trimEnd();
  };
  const apply = async (object: object): Promise<string> => {
    const file = join(directory.path, 'object.json');
    await writeFile(file, JSON.stringify(object));
    return run(['apply', '-f', file]);
  };

  it('defines a kind, waits for it, and works with its objects from the first to the last', async () => {
    expect(await apply(definition)).to.contain('created');
    await run(['wait', '--for=condition=Established', `crd/${definition.metadata.name}`, '--timeout=30s']);
    expect(await apply(cronTab)).to.equal('crontab.stable.example.com/a created');
    expect(await run(['get', 'ct', '--no-headers'])).to.match(/^a +one$/);
    expect(await run(['explain', 'crontab.spec.image'])).to.contain('What is run.');
    await run(['patch', 'crontab', 'a', '--type=merge', '-p', '{"spec":{"image":"two"}}']);
    await run(['scale', '--replicas=3', 'crontab/a']);
    expect(await run(['get', 'ct', 'a', '-o', 'jsonpath={.spec.image} {.spec.replicas}'])).to.equal('two 3');
    const editor = join(directory.path, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i "s/image: two/image: three/" "$1"\n');
    await chmod(editor, 0o755);
    await run(['edit', 'ct', 'a'], { KUBE_EDITOR: editor });
    expect(await run(['get', 'ct', 'a', '-o', 'jsonpath={.spec.image}'])).to.equal('three');
    const file = join(directory.path, 'created.json');
    await writeFile(file, JSON.stringify({ ...cronTab, metadata: { name: 'b', labels: { made: 'here' } } }));
    expect(await run(['create', '-f', file])).to.equal('crontab.stable.example.com/b created');
    expect(await run(['get', 'crontabs', '-l', 'made=here', '-o', 'name'])).to.equal(
      'crontab.stable.example.com/b',
    );
    expect(await run(['describe', 'ct', 'b'])).to.match(/^Name: +b$/m);
    expect(await run(['api-resources', '--api-group=stable.example.com', '-o', 'name'])).to.equal(
      'crontabs.stable.example.com',
    );
    expect(await apply({ ...cronTab, spec: { ...cronTab.spec, image: 'four' } })).to.contain('configured');
    await run(['delete', 'ct', 'a', 'b']);
    expect(await run(['get', 'ct', '-o', 'name'])).to.equal('');
    await run(['delete', 'crd', definition.metadata.name]);
  });
});
