import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { JsonObject } from '../support/api-client.ts';
import { configMap, deployment, pod, service } from '../support/objects.ts';
import {
  type ClientRun,
  requireReleaseClient,
  runReleaseClient,
  streamReleaseClient,
} from '../support/release-client.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const secret = {
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: { name: 'x' },
  type: 'Opaque',
  data: { a: 'AAEC' },
};
const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'made' } };

describe("the release's own client", () => {
  let path: string;
  let server: ServeProcess;
  let directory: TemporaryDirectory;
  before(async function () {
    this.timeout(60_000);
    path = await requireReleaseClient(this);
    directory = await makeTemporaryDirectory();
    server = await startServe([
      '--dialect=kubernetes',
      '--ephemeral',
      '--controllers=none',
      '--disable-admission-plugins=ServiceAccount',
    ]);
  });
  after(async () => {
    await server?.stop();
    await directory?.remove();
  });

  const connection = () => [`--kubeconfig=${server.configPath}`, `--cache-dir=${directory.path}`];
  const run = (...args: string[]): Promise<ClientRun> => runReleaseClient(path, [...connection(), ...args]);
  /** Runs a command that must succeed; its output without the last line break. */
  const expectRun = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...args);
    expect(code, `${args.join(' ')}: ${stderr}`).to.equal(0);
    return stdout.trimEnd();
  };
  const create = async (object: JsonObject): Promise<string> => {
    const file = join(directory.path, `${object.kind}-${object.metadata.name}.json`);
    await writeFile(file, JSON.stringify(object));
    return expectRun('create', '-f', file);
  };
  const columnsOf = (text: string): string[][] => text.split('\n').map((line) => line.split(/ {2,}/));
  const read = async (...args: string[]): Promise<JsonObject> =>
    JSON.parse(await expectRun('get', ...args, '-o', 'json')) as JsonObject;

  const kinds = [
    {
      object: pod('p'),
      created: 'pod/p created',
      plural: 'pods',
      header: ['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE'],
      row: ['p', '0/1', 'Pending', '0'],
      described: [
        /^Name: +p$/m,
        /^Namespace: +default$/m,
        /^ +Image: +example\/image:1$/m,
        /^QoS Class: +BestEffort$/m,
      ],
    },
    {
      object: deployment('d', { replicas: 2 }),
      created: 'deployment.apps/d created',
      plural: 'deployments',
      header: ['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE'],
      row: ['d', '0/2', '0', '0'],
      described: [/^Selector: +app=d$/m, /^Replicas: +2 desired/m, /^StrategyType: +RollingUpdate$/m],
    },
    {
      object: service('s', { clusterIP: '10.0.0.77' }),
      created: 'service/s created',
      plural: 'services',
      header: ['NAME', 'TYPE', 'CLUSTER-IP', 'EXTERNAL-IP', 'PORT(S)', 'AGE'],
      row: ['s', 'ClusterIP', '10.0.0.77', '<none>', '80/TCP'],
      described: [/^Type: +ClusterIP$/m, /^Port: +<unset> +80\/TCP$/m, /^Session Affinity: +None$/m],
    },
    {
      object: configMap('m', { text: 'two\nlines' }),
      created: 'configmap/m created',
      plural: 'configmaps',
      header: ['NAME', 'DATA', 'AGE'],
      row: ['m', '1'],
      described: [/^text:\n----\ntwo\nlines$/m],
    },
    {
      object: secret,
      created: 'secret/x created',
      plural: 'secrets',
      header: ['NAME', 'TYPE', 'DATA', 'AGE'],
      row: ['x', 'Opaque', '1'],
      described: [/^Type: +Opaque$/m, /^a: +3 bytes$/m],
    },
    {
      object: namespace,
      created: 'namespace/made created',
      plural: 'namespaces',
      header: ['NAME', 'STATUS', 'AGE'],
      row: ['made', 'Active'],
      described: [/^Name: +made$/m, /^Status: +Active$/m],
    },
  ];

  for (const { object, created, plural, header, row, described } of kinds) {
    it(`creates, gets, describes, labels, annotates and deletes ${plural}`, async function () {
      this.timeout(60_000);
      const { name } = object.metadata;
      expect(await create(object)).to.equal(created);
      const table = columnsOf(await expectRun('get', plural));
      expect(table[0]).to.deep.equal(header);
      expect(table.find(([first]) => first === name)?.slice(0, row.length)).to.deep.equal(row);
      const text = await expectRun('describe', plural, name);
      for (const pattern of described) expect(text).to.match(pattern);
      expect(await expectRun('label', plural, name, 'colour=red')).to.match(/ labeled$/);
      expect(await expectRun('annotate', plural, name, 'note=mine')).to.match(/ annotated$/);
      const { metadata } = await read(plural, name);
      expect(metadata.labels).to.include({ colour: 'red' });
      expect(metadata.annotations).to.include({ note: 'mine' });
      expect(await expectRun('get', plural, '-l', 'colour=red', '-o', 'name')).to.include(`/${name}`);
      expect(await expectRun('delete', plural, name, '--wait=false')).to.match(/deleted/);
      if (plural === 'namespaces') expect((await read(plural, name)).status.phase).to.equal('Terminating');
      else if (plural !== 'pods')
        expect((await run('get', plural, name)).stderr).to.match(/\(NotFound\).* "\w" not found/);
    });
  }

  it('says what the server said when something is refused', async () => {
    const { code, stderr } = await run('create', 'configmap', 'Bad_Name');
    expect(code).to.equal(1);
    expect(stderr).to.match(/The ConfigMap "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name"/);
  });

  it('checks files by what the server says of kinds', async () => {
    const file = join(directory.path, 'wrong.json');
    const wrong = pod('wrong');
    await writeFile(
      file,
      JSON.stringify({ ...wrong, spec: { ...wrong.spec, nodeNmae: 'n', hostNetwork: 'yes' } }),
    );
    const { code, stderr } = await run('apply', '-f', file);
    expect(code).to.equal(1);
    expect(stderr).to.include(
      'ValidationError(Pod.spec): unknown field "nodeNmae" in io.k8s.api.core.v1.PodSpec',
    );
    expect(stderr).to.include('PodSpec.hostNetwork: got "string", expected "boolean"');
  });

  it('tries changes on the server only', async () => {
    const file = join(directory.path, 'tried.json');
    await writeFile(file, JSON.stringify(configMap('tried')));
    expect(await expectRun('apply', '--dry-run=server', '-f', file)).to.equal(
      'configmap/tried created (server dry run)',
    );
    expect((await run('get', 'configmap', 'tried')).stderr).to.match(/not found/);
  });

  it('explains fields', async () => {
    const text = await expectRun('explain', 'pod.spec.containers.livenessProbe');
    expect(text).to.match(/^RESOURCE: livenessProbe <Object>$/m);
    expect(text).to.match(/^ {3}periodSeconds\t<integer>\n {5}[A-Z].*\.$/m);
    const nested = (await expectRun('explain', 'deployments', '--recursive')).split('\n');
    expect(nested).to.include('                  containerPort\t<integer>');
    // Placeholders of the client's own format, and texts that it took for them.
    expect(await expectRun('explain', 'service.spec.ports.targetPort')).to.not.include('%!');
  });

  it('explains every kind of every version', async function () {
    this.timeout(120_000);
    const lines = columnsOf(await expectRun('api-resources', '--no-headers'));
    // The short names may be missing; the last three columns never are.
    const preferred = lines.map((line) => [line[0] ?? '', line.at(-3) ?? ''] as const);
    const others = [
      ['ingresses', 'networking.k8s.io/v1beta1'],
      ['hpa', 'autoscaling/v2beta1'],
      ['hpa', 'autoscaling/v2beta2'],
      ['crd', 'apiextensions.k8s.io/v1beta1'],
      ['events', 'events.k8s.io/v1'],
      ['roles', 'rbac.authorization.k8s.io/v1beta1'],
    ] as const;
    expect(preferred.length).to.be.greaterThan(50);
    for (const [resource, version] of [...preferred, ...others]) {
      const text = await expectRun('explain', resource, `--api-version=${version}`);
      expect(text, resource).to.match(new RegExp(`^KIND: {5}\\w+\nVERSION: {2}${version}\n`));
      expect(text, resource).not.to.match(/<empty>|<no description>/);
      expect(text, resource).to.match(/\nFIELDS:\n(?:.*\n)*? {3}apiVersion\t<string>\n/);
    }
  });

  it('finds what is wrong with each object of a list, and sends none', async () => {
    const file = join(directory.path, 'listed.json');
    const wrong = { ...configMap('wrong'), data: { k: ['v'] } };
    const lacking = { ...service('lacking'), spec: { ports: [{ name: 'p' }] } };
    const items = [configMap('listed'), wrong, lacking];
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const { code, stderr } = await run('create', '--validate', '-f', file);
    expect(code).to.equal(1);
    expect(stderr).to.include(
      'ValidationError(ConfigMap.data.k): invalid type for io.k8s.api.core.v1.ConfigMap.data: got "array", expected "string"',
    );
    expect(stderr).to.include('missing required field "port" in io.k8s.api.core.v1.ServicePort');
    expect((await run('get', 'configmap', 'listed')).stderr).to.match(/not found/);
  });

  it('watches', async function () {
    this.timeout(60_000);
    const watch = streamReleaseClient(path, [...connection(), 'get', 'configmaps', '-w', '-o', 'name']);
    await create(configMap('watched'));
    await watch.take(1);
    await expectRun('label', 'configmap', 'watched', 'seen=yes');
    expect(await watch.take(2)).to.deep.equal(['configmap/watched', 'configmap/watched']);
    await watch.end();
  });

  it('watches as a table whose columns come once', async function () {
    this.timeout(60_000);
    const watch = streamReleaseClient(path, [...connection(), 'get', 'secrets', '-w']);
    await create({ ...secret, metadata: { name: 'w1' } });
    await create({ ...secret, metadata: { name: 'w2' } });
    const lines = await watch.take(3);
    await watch.end();
    const names = columnsOf(lines.join('\n')).map(([first]) => first);
    expect(names).to.deep.equal(['NAME', 'w1', 'w2']);
  });

  it('finds every kind of resource', async () => {
    const names = (await expectRun('api-resources', '-o', 'name')).split('\n');
    for (const name of ['pods', 'deployments.apps', 'services', 'configmaps', 'secrets', 'namespaces']) {
      expect(names).to.include(name);
    }
    const lines = columnsOf(await expectRun('api-resources', '--namespaced=true', '--api-group=apps'));
    expect(lines.find(([first]) => first === 'deployments')?.slice(1)).to.deep.equal([
      'deploy',
      'apps/v1',
      'true',
      'Deployment',
    ]);
    const versions = (await expectRun('api-versions')).split('\n');
    expect(versions).to.include.members(['v1', 'apps/v1', 'rbac.authorization.k8s.io/v1']);
  });

  it('takes the server for one of its own release', async () => {
    expect(await expectRun('version')).to.match(/Server Version: .*Major:"1", Minor:"20"/);
  });
});
