import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FakeApi, type FakeRoutes, failure, pod } from './support/fake-api.ts';
import { type RunSetting, run } from './support/run.ts';

const pods = '/api/v1/namespaces/default/pods';
const lastApplied = 'ctl.orch.io/last-applied-configuration';
const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { x: '<1>' } };

describe('commands that change objects', () => {
  let api: FakeApi | undefined;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ctl-files-'));
  });
  afterEach(async () => {
    await api?.stop();
    api = undefined;
    rmSync(folder, { recursive: true, force: true });
  });
  const start = async (routes: FakeRoutes = {}) => {
    api = await FakeApi.start(routes);
    return (args: readonly string[], setting: RunSetting = {}) =>
      run([...args, '-s', api?.url ?? ''], setting);
  };
  const sentBody = (method: string): unknown => api?.last(method).body;
  const stdin = JSON.stringify(manifest);

  describe('ctl create', () => {
    it('posts the objects of the standard input into the namespace', async () => {
      const ctl = await start({ [`POST ${pods}`]: ({ body }) => ({ status: 201, body }) });
      expect(await ctl(['create', '-f', '-'], { stdin })).to.deep.equal({
        code: 0,
        out: 'pod/a created\n',
        err: '',
      });
      const { body, query } = api?.last('POST') ?? {};
      expect(body).to.deep.equal({ ...manifest, metadata: { name: 'a', namespace: 'default' } });
      expect(query?.get('fieldManager')).to.equal('ctl-create');
    });

    it('reads every document of YAML files and goes on after failures', async () => {
      const file = join(folder, 'all.yaml');
      writeFileSync(
        file,
        'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\n# nothing\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: b}}\n',
      );
      const ctl = await start({
        [`POST ${pods}`]: ({ body }) =>
          (body as { metadata: { name: string } }).metadata.name === 'a'
            ? failure(409, 'AlreadyExists', 'pods "a" already exists')
            : { status: 201, body },
      });
      const { code, out, err } = await ctl(['create', '-f', file]);
      expect({ code, out }).to.deep.equal({ code: 1, out: 'pod/b created\n' });
      expect(err).to.equal(
        `Error from server (AlreadyExists): error when creating "${file}": pods "a" already exists\n`,
      );
    });

    it('reads the files of a folder by name', async () => {
      for (const name of ['2.yaml', '1.json', 'note.txt']) {
        writeFileSync(join(folder, name), JSON.stringify({ ...manifest, metadata: { name: `p${name[0]}` } }));
      }
      const ctl = await start({ [`POST ${pods}`]: ({ body }) => ({ status: 201, body }) });
      expect((await ctl(['create', '-f', folder, '-o', 'name'])).out).to.equal('pod/p1\npod/p2\n');
    });

    it('sends nothing in a rehearsal of the client', async () => {
      const ctl = await start();
      expect((await ctl(['create', '-f', '-', '--dry-run=client'], { stdin })).out).to.equal(
        'pod/a created (dry run)\n',
      );
      expect(api?.calls).to.deep.equal([]);
    });

    const mistakes: readonly (readonly [title: string, input: string, args: string[], text: string])[] = [
      [
        'a kind that nobody serves',
        '{"apiVersion":"x/v1","kind":"Foo"}',
        [],
        'error: unable to recognize "STDIN": no matches for kind "Foo" in version "x/v1"\n',
      ],
      [
        'no kind',
        'a: b',
        [],
        'STDIN:1:1 apiVersion: is required, but missing\nSTDIN:1:1 kind: is required, but missing\n',
      ],
      [
        'no kind, in the words of the release',
        'a: b\n---\nc: d',
        ['--dialect=kubernetes'],
        'error: error validating "STDIN": error validating data: [apiVersion not set, kind not set]; if you choose to ignore these errors, turn validation off with --validate=false\n',
      ],
      ['no map', '- a', [], 'error: STDIN:1:1 must be an object\n'],
      [
        'no kind, unvalidated',
        'metadata: {name: <a>}',
        ['--validate=false'],
        `error: unable to decode "STDIN": Object 'Kind' is missing in '{"metadata":{"name":"\\u003ca\\u003e"}}'\n`,
      ],
      [
        'no version, unvalidated',
        'kind: Pod',
        ['--validate=false'],
        `error: unable to decode "STDIN": Object 'apiVersion' is missing in '{"kind":"Pod"}'\n`,
      ],
      [
        'a text, unvalidated',
        'hello',
        ['--validate=false'],
        'error: unable to decode "STDIN": json: cannot unmarshal string into Go value of type unstructured.detector\n',
      ],
      ['no objects', '---\n', [], 'error: no objects passed to create\n'],
      ['broken YAML', 'a: b: c', [], 'error: STDIN:1:5 mapping values are not allowed in this context\n'],
      [
        'broken YAML in the words of the release',
        'a: b: c',
        ['--dialect=kubernetes'],
        'error: error parsing STDIN: error converting YAML to JSON: yaml: mapping values are not allowed in this context\n',
      ],
      [
        'another namespace',
        '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"x"}}',
        ['-n', 'y'],
        `error: the namespace from the provided object "x" does not match the namespace "y". You must pass '--namespace=x' to perform this operation.\n`,
      ],
    ];
    for (const [title, input, args, text] of mistakes) {
      it(`refuses ${title}`, async () => {
        const ctl = await start();
        expect(await ctl(['create', '-f', '-', ...args], { stdin: input })).to.deep.equal({
          code: 1,
          out: '',
          err: text,
        });
      });
    }

    it('lists the causes of an invalid object', async () => {
      const causes = [
        { field: 'spec.a', message: 'Required value' },
        { field: 'spec.b', message: 'Invalid value: 1' },
      ];
      const ctl = await start({
        [`POST ${pods}`]: failure(422, 'Invalid', 'joined', { kind: 'Pod', name: 'a', causes }),
      });
      expect((await ctl(['create', '-f', '-'], { stdin })).err).to.equal(
        'The Pod "a" is invalid: \n* STDIN:1:57 spec.a: Required value\n* STDIN:1:57 spec.b: Invalid value: 1\n',
      );
    });

    it('makes objects from flags', async () => {
      const ctl = await start({
        'POST /api/v1/namespaces/default/configmaps': ({ body }) => ({ status: 201, body }),
      });
      expect((await ctl(['create', 'configmap', 'c', '--from-literal=a=b=c'])).out).to.equal(
        'configmap/c created\n',
      );
      expect(api?.last('POST').body).to.deep.include({ data: { a: 'b=c' } });
    });
  });

  describe('ctl apply', () => {
    it('creates an object that is missing, with what was applied in its annotation', async () => {
      const ctl = await start({ [`POST ${pods}`]: ({ body }) => ({ status: 201, body }) });
      expect((await ctl(['apply', '-f', '-'], { stdin })).out).to.equal('pod/a created\n');
      const { metadata } = sentBody('POST') as { metadata: { annotations: Record<string, string> } };
      expect(metadata.annotations[lastApplied]).to.equal(
        '{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{},"name":"a","namespace":"default"},"spec":{"x":"\\u003c1\\u003e"}}\n',
      );
    });

    const applied = (spec: object) => ({
      ...pod('a', {
        metadata: {
          annotations: {
            [lastApplied]: JSON.stringify({
              ...manifest,
              metadata: { annotations: {}, name: 'a', namespace: 'default' },
              spec,
            }),
            other: 'kept',
          },
        },
      }),
    });

    it('removes what is no longer in the file and leaves the rest to others', async () => {
      const live = { ...applied({ x: 'old', gone: 1 }), spec: { x: 'old', gone: 1, theirs: 2 } };
      const ctl = await start({
        [`GET ${pods}/a`]: { body: live },
        [`PATCH ${pods}/a`]: {
          body: { ...live, metadata: { ...(live as { metadata?: object }).metadata, resourceVersion: '8' } },
        },
      });
      expect((await ctl(['apply', '-f', '-'], { stdin })).out).to.equal('pod/a configured\n');
      const { spec, metadata } = sentBody('PATCH') as {
        spec: unknown;
        metadata: { annotations: object };
      };
      expect(spec).to.deep.equal({ x: '<1>', gone: null });
      expect(Object.keys(metadata.annotations)).to.deep.equal([lastApplied]);
    });

    it('says so when nothing changed, without a request', async () => {
      const ctl = await start({ [`POST ${pods}`]: ({ body }) => ({ status: 201, body }) });
      await ctl(['apply', '-f', '-'], { stdin });
      const live = api?.last('POST').body;
      await api?.stop();
      const again = await start({ [`GET ${pods}/a`]: { body: live } });
      expect((await again(['apply', '-f', '-'], { stdin })).out).to.equal('pod/a unchanged\n');
      expect(api?.calls).to.deep.equal([`GET ${pods}/a`]);
    });

    it('makes the patch anew after a lost race', async () => {
      let patches = 0;
      const ctl = await start({
        [`GET ${pods}/a`]: { body: applied({}) },
        [`PATCH ${pods}/a`]: () =>
          ++patches === 1
            ? failure(409, 'Conflict', 'changed')
            : { body: pod('a', { metadata: { resourceVersion: '9' } }) },
      });
      expect((await ctl(['apply', '-f', '-'], { stdin })).out).to.equal('pod/a configured\n');
      expect(patches).to.equal(2);
    });

    it('leaves the work to the server when asked to', async () => {
      const ctl = await start({ [`PATCH ${pods}/a`]: { body: pod('a') } });
      const { out } = await ctl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { stdin });
      expect(out).to.equal('pod/a serverside-applied\n');
      const { headers, query } = api?.last('PATCH') ?? {};
      expect(headers?.['content-type']).to.equal('application/apply-patch+yaml');
      expect([query?.get('force'), query?.get('fieldManager')]).to.deep.equal(['true', 'ctl']);
    });
  });

  describe('ctl delete', () => {
    const deleted = { kind: 'Status', status: 'Success', details: { uid: 'uid-a' } };

    it('asks for background deletion and waits until the object is gone', async () => {
      let reads = 0;
      const ctl = await start({
        [`DELETE ${pods}/a`]: { body: deleted },
        [`GET ${pods}/a`]: () =>
          ++reads === 1 ? { body: pod('a') } : failure(404, 'NotFound', 'pods "a" not found'),
        [`GET ${pods}`]: { lines: [{ type: 'DELETED', object: pod('a') }] },
      });
      expect(await ctl(['delete', 'pod', 'a'])).to.deep.equal({ code: 0, out: 'pod "a" deleted\n', err: '' });
      expect(api?.last('DELETE').body).to.deep.equal({
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        propagationPolicy: 'Background',
      });
      expect(api?.calls).to.deep.equal([`DELETE ${pods}/a`, `GET ${pods}/a`, `GET ${pods}`]);
    });

    it('does not wait for another object of the same name', async () => {
      const ctl = await start({
        [`DELETE ${pods}/a`]: { body: deleted },
        [`GET ${pods}/a`]: { body: pod('a', { metadata: { uid: 'another' } }) },
      });
      expect((await ctl(['delete', 'pod', 'a'])).code).to.equal(0);
    });

    it('deletes what a selector finds, one by one', async () => {
      const ctl = await start({
        [`GET ${pods}`]: { body: { items: [pod('a'), pod('b')] } },
        [`DELETE ${pods}/a`]: { body: deleted },
        [`DELETE ${pods}/b`]: { body: deleted },
      });
      const { out } = await ctl(['delete', 'pods', '-l', 'x=y', '--wait=false', '-o', 'name']);
      expect(out).to.equal('pod/a\npod/b\n');
    });

    const options: readonly (readonly [args: string[], body: object])[] = [
      [['--now'], { gracePeriodSeconds: 1 }],
      [['--grace-period=0'], { gracePeriodSeconds: 1 }],
      [['--grace-period=7'], { gracePeriodSeconds: 7 }],
      [['--force'], { gracePeriodSeconds: 0 }],
      [['--cascade=orphan'], { propagationPolicy: 'Orphan' }],
      [['--cascade=foreground'], { propagationPolicy: 'Foreground' }],
      [['--cascade=false'], { propagationPolicy: 'Orphan' }],
      [['--cascade'], { propagationPolicy: 'Background' }],
      [['--dry-run=server'], { dryRun: ['All'] }],
    ];
    for (const [args, body] of options) {
      it(`turns ${args.join(' ')} into the options of the request`, async () => {
        const ctl = await start({ [`DELETE ${pods}/a`]: { body: deleted } });
        await ctl(['delete', 'pod', 'a', '--wait=false', ...args]);
        expect(api?.last('DELETE').body).to.deep.include(body);
      });
    }

    const mistakes: readonly (readonly [args: string[], text: string])[] = [
      [['pods'], 'error: resource(s) were provided, but no name, label selector, or --all flag specified\n'],
      [['pod', 'a', '--all'], 'error: name cannot be provided when a selector is specified\n'],
      [
        ['pod', 'a', '--force', '--grace-period=5'],
        'error: --force and --grace-period greater than 0 cannot be specified together\n',
      ],
      [
        ['pod', 'a', '--cascade=foo'],
        'error: invalid cascade value (foo). Must be "background", "foreground", or "orphan"\n',
      ],
      [['pod', 'nope'], 'Error from server (NotFound): pods "nope" not found\n'],
    ];
    for (const [args, text] of mistakes) {
      it(`words the mistake in: delete ${args.join(' ')}`, async () => {
        const ctl = await start();
        expect(await ctl(['delete', ...args])).to.deep.equal({ code: 1, out: '', err: text });
      });
    }
  });

  describe('ctl label and annotate', () => {
    const labeled = pod('a', { metadata: { labels: { old: '1' } } });
    const routes: FakeRoutes = {
      [`GET ${pods}/a`]: { body: labeled },
      [`PATCH ${pods}/a`]: { body: labeled },
    };
    const cases: readonly (readonly [args: string[], patch: object | undefined, out: string])[] = [
      [['label', 'pod', 'a', 'x=y'], { labels: { x: 'y' } }, 'pod/a labeled\n'],
      [['label', 'pod/a', 'old=2', '--overwrite'], { labels: { old: '2' } }, 'pod/a labeled\n'],
      [['label', 'pod', 'a', 'old=1', '--overwrite'], undefined, 'pod/a not labeled\n'],
      [['label', 'pod', 'a', 'old-'], { labels: { old: null } }, 'pod/a labeled\n'],
      [['label', 'pod', 'a', 'gone-'], undefined, 'label "gone" not found.\npod/a not labeled\n'],
      [
        ['annotate', 'pod', 'a', 'n=text with = in it'],
        { annotations: { n: 'text with = in it' } },
        'pod/a annotated\n',
      ],
      [['label', 'pod', 'a', '--list'], undefined, 'old=1\n'],
    ];
    for (const [args, patch, out] of cases) {
      it(`carries out: ${args.join(' ')}`, async () => {
        const ctl = await start(routes);
        expect(await ctl(args)).to.deep.equal({ code: 0, out, err: '' });
        const sent = api?.requests.find(({ method }) => method === 'PATCH')?.body;
        expect(sent).to.deep.equal(patch === undefined ? undefined : { metadata: patch });
      });
    }

    const mistakes: readonly (readonly [args: string[], text: string])[] = [
      [['label', 'pod', 'a', 'old=2'], "error: 'old' already has a value (1), and --overwrite is false\n"],
      [['label', 'pod', 'a'], 'error: at least one label update is required\n'],
      [
        ['label', 'pod', 'a', 'x=1', 'x-'],
        'error: can not both modify and remove a label in the same command\n',
      ],
      [
        ['annotate', 'pod', 'a', 'x=1', 'y=2', 'z=3', 'z-', 'x-'],
        'error: can not both modify and remove the following annotation(s) in the same command: z, x\n',
      ],
      [['label', 'pod', 'a', 'x=1=2'], 'error: invalid label spec: x=1=2\n'],
      [['label', 'pod', 'a', 'x=1', 'b'], 'error: all resources must be specified before label changes: b\n'],
    ];
    for (const [args, text] of mistakes) {
      it(`words the mistake in: ${args.join(' ')}`, async () => {
        const ctl = await start(routes);
        expect((await ctl(args)).err).to.equal(text);
      });
    }
  });

  it('ctl scale patches the scale of an object', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments/d';
    const deployment = {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'd', namespace: 'default' },
    };
    const ctl = await start({ [`GET ${path}`]: { body: deployment }, [`PATCH ${path}/scale`]: { body: {} } });
    expect((await ctl(['scale', 'deploy/d', '--replicas=3'])).out).to.equal('deployment.apps/d scaled\n');
    expect(api?.last('PATCH').body).to.deep.equal({ spec: { replicas: 3 } });
  });

  it('ctl patch sends YAML as JSON, with the type of the patch', async () => {
    const ctl = await start({
      [`GET ${pods}/a`]: { body: pod('a') },
      [`PATCH ${pods}/a`]: { body: pod('a') },
    });
    const { out } = await ctl(['patch', 'pod', 'a', '--type=merge', '-p', 'spec: {x: 1}']);
    expect(out).to.equal('pod/a patched (no change)\n');
    expect(api?.last('PATCH').headers['content-type']).to.equal('application/merge-patch+json');
    expect(api?.last('PATCH').body).to.deep.equal({ spec: { x: 1 } });
  });
});
