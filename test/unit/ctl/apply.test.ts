import { expect } from 'chai';
import { FakeApi, type FakeRoutes, failure, pod } from './support/fake-api.ts';
import { type RunResult, run } from './support/run.ts';

const pods = '/api/v1/namespaces/default/pods';
const lastApplied = 'ctl.orch.io/last-applied-configuration';

type Json = Record<string, unknown>;

/** A pod of a file. */
const wanted = (spec: Json, metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', ...metadata },
  spec,
});
/** What apply keeps of it. */
const kept = (object: Json, { metadata } = object as { metadata: Json }): string =>
  JSON.stringify({ ...object, metadata: { annotations: {}, ...metadata, namespace: 'default' } });
/** A live pod on which `applied` was applied. */
const live = (spec: Json, applied: Json, metadata: Json = {}): Json => ({
  ...pod('a', { metadata: { annotations: { [lastApplied]: kept(wanted(applied)) }, ...metadata } }),
  spec,
});
const images = (...pairs: string[]): Json[] =>
  pairs.map((pair) => {
    const [name, image] = pair.split('=');
    return { name, image };
  });

describe('ctl apply', () => {
  let api: FakeApi | undefined;
  afterEach(async () => {
    await api?.stop();
    api = undefined;
  });
  const apply = async (routes: FakeRoutes, object: Json, ...flags: string[]): Promise<RunResult> => {
    api = await FakeApi.start(routes);
    return run(['apply', '-f', '-', ...flags, '-s', api.url], { stdin: JSON.stringify(object) });
  };
  const sent = () => {
    const { body, headers, query } = api?.last('PATCH') ?? {};
    return { body: body as Json, type: headers?.['content-type'], query: Object.fromEntries(query ?? []) };
  };
  const changed = { body: { ...pod('a'), metadata: { name: 'a', resourceVersion: '8' } } };

  describe('on the client', () => {
    it('sends a strategic merge patch for built-in kinds', async () => {
      const applied = { containers: images('a=1', 'gone=1') };
      const current = { containers: images('injected=1', 'a=1', 'gone=1'), nodeName: 'n' };
      const { out } = await apply(
        { [`GET ${pods}/a`]: { body: live(current, applied) }, [`PATCH ${pods}/a`]: changed },
        wanted({ containers: images('a=2') }),
      );
      expect(out).to.equal('pod/a configured\n');
      expect(sent().type).to.equal('application/strategic-merge-patch+json');
      expect(sent().query).to.deep.equal({ fieldManager: 'ctl-client-side-apply' });
      expect(sent().body.spec).to.deep.equal({
        '$setElementOrder/containers': [{ name: 'a' }],
        containers: [
          { name: 'a', image: '2' },
          { name: 'gone', $patch: 'delete' },
        ],
      });
    });

    const customRoutes = (group: string, kind: string): FakeRoutes => {
      const version = { groupVersion: `${group}/v1`, version: 'v1' };
      const resource = { name: 'things', singularName: '', namespaced: true, kind, verbs: ['get', 'patch'] };
      return {
        'GET /apis': { body: { groups: [{ name: group, versions: [version], preferredVersion: version }] } },
        [`GET /apis/${group}/v1`]: { body: { groupVersion: `${group}/v1`, resources: [resource] } },
      };
    };
    for (const [group, kind] of [
      ['example.com', 'Pod'],
      ['apiextensions.orch.io', 'CustomResourceDefinition'],
    ] as const) {
      it(`sends a merge patch for ${kind} of ${group}, whose lists are replaced`, async () => {
        const path = `/apis/${group}/v1/namespaces/default/things/a`;
        const thing = (spec: Json) => ({ ...wanted(spec), apiVersion: `${group}/v1`, kind });
        const annotations = { [lastApplied]: kept(thing({ containers: images('a=1'), gone: 1 })) };
        const current = {
          ...thing({ containers: images('a=1'), gone: 1, theirs: 2 }),
          metadata: { name: 'a', annotations },
        };
        const { out, err } = await apply(
          { ...customRoutes(group, kind), [`GET ${path}`]: { body: current }, [`PATCH ${path}`]: changed },
          thing({ containers: images('b=2') }),
        );
        expect({ out, err }).to.deep.equal({ out: `${kind.toLowerCase()}.${group}/a configured\n`, err: '' });
        expect(sent().type).to.equal('application/merge-patch+json');
        expect(sent().body.spec).to.deep.equal({ containers: images('b=2'), gone: null });
      });
    }

    it('knows the built-in kinds of the other dialect', async () => {
      const name = 'kubectl.kubernetes.io/last-applied-configuration';
      const current = pod('a', { metadata: { annotations: { [name]: kept(wanted({})) } } });
      await apply(
        { [`GET ${pods}/a`]: { body: current }, [`PATCH ${pods}/a`]: changed },
        wanted({ containers: images('b=2') }),
        '--dialect=kubernetes',
      );
      expect(sent().type).to.equal('application/strategic-merge-patch+json');
      expect(sent().query).to.deep.equal({ fieldManager: 'kubectl-client-side-apply' });
      expect(sent().body).to.have.nested.property('spec.$setElementOrder/containers');
    });

    it('refuses to turn an object into another', async () => {
      const other = { ...live({}, {}), metadata: { ...(live({}, {}).metadata as Json), name: 'b' } };
      const { code, err } = await apply({ [`GET ${pods}/a`]: { body: other } }, wanted({}));
      expect(code).to.equal(1);
      expect(err).to.contain('At least one of apiVersion, kind and name was changed');
      expect(api?.calls).to.deep.equal([`GET ${pods}/a`]);
    });

    it('gives up after five lost races', async () => {
      let patches = 0;
      const { code, err } = await apply(
        {
          [`GET ${pods}/a`]: { body: live({}, {}) },
          [`PATCH ${pods}/a`]: () => {
            patches++;
            return failure(409, 'Conflict', 'somebody was faster');
          },
        },
        wanted({ nodeName: 'n' }),
      );
      expect({ code, patches }).to.deep.equal({ code: 1, patches: 5 });
      expect(err).to.contain('somebody was faster');
    });

    it('refuses to overwrite what others changed when told so', async () => {
      const routes = {
        [`GET ${pods}/a`]: { body: live({ hostname: 'theirs', nodeName: 'theirs' }, { hostname: 'old' }) },
        [`PATCH ${pods}/a`]: changed,
      };
      const { code, err } = await apply(routes, wanted({ hostname: 'mine' }), '--overwrite=false');
      expect(code).to.equal(1);
      expect(err).to.equal(
        'error: error when applying "STDIN": others changed these fields since they were applied last, and the file wants them otherwise:\n* spec.hostname\nGive them the values that they have now, or let the file win with --overwrite=true.\n',
      );
      expect(api?.calls).to.deep.equal([`GET ${pods}/a`]);
      await api?.stop();
      expect((await apply(routes, wanted({ hostname: 'mine' }))).out).to.equal('pod/a configured\n');
    });

    it('overwrites nothing but goes on where nobody else changed the field', async () => {
      const { out, err } = await apply(
        {
          [`GET ${pods}/a`]: { body: live({ hostname: 'old', nodeName: 'theirs' }, { hostname: 'old' }) },
          [`PATCH ${pods}/a`]: changed,
        },
        wanted({ hostname: 'new' }),
        '--overwrite=false',
      );
      expect({ out, err }).to.deep.equal({ out: 'pod/a configured\n', err: '' });
      expect(sent().body.spec).to.deep.equal({ hostname: 'new' });
    });

    it('shows in a rehearsal of its own what the object would be', async () => {
      const applied = { containers: images('a=1'), hostname: 'gone' };
      const current = { containers: images('a=1', 'theirs=1'), hostname: 'gone' };
      const { out } = await apply(
        { [`GET ${pods}/a`]: { body: live(current, applied) } },
        wanted({ containers: images('b=2') }),
        '--dry-run=client',
        '-o=json',
      );
      const { spec } = JSON.parse(out) as { spec: Json };
      expect(spec).to.not.have.property('hostname');
      expect((spec.containers as Json[]).map(({ name, image }) => `${name}=${image}`)).to.have.members([
        'b=2',
        'theirs=1',
      ]);
      expect(api?.calls).to.deep.equal([`GET ${pods}/a`]);
    });

    it('warns where the annotation is missing, in the words of the release', async () => {
      const { err } = await apply(
        { [`GET ${pods}/a`]: { body: pod('a') }, [`PATCH ${pods}/a`]: changed },
        wanted({}),
      );
      expect(err).to.equal(
        'Warning: resource pods/a is missing the ctl.orch.io/last-applied-configuration annotation which is required by ctl apply. ctl apply should only be used on resources created declaratively by either ctl create --save-config or ctl apply. The missing annotation will be patched automatically.\n',
      );
    });

    it('warns about an object that is being deleted', async () => {
      const doomed = { ...changed.body, metadata: { name: 'a', deletionTimestamp: '2024-01-01T00:00:00Z' } };
      const { err } = await apply(
        { [`GET ${pods}/a`]: { body: live({}, {}) }, [`PATCH ${pods}/a`]: { body: doomed } },
        wanted({ nodeName: 'n' }),
      );
      expect(err).to.equal('Warning: Detected changes to resource a which is currently being deleted.\n');
    });

    it('needs a name', async () => {
      const nameless = { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'x-' } };
      const { code, err } = await apply({}, nameless);
      expect({ code, calls: api?.calls }).to.deep.equal({ code: 1, calls: [] });
      expect(err).to.contain('from x-: cannot use generate name with apply');
    });
  });

  describe('on the server', () => {
    it('sends what the file says, and nothing else', async () => {
      const object = wanted({ nodeName: 'n' }, { labels: { x: 'y' } });
      const { out, err } = await apply({ [`PATCH ${pods}/a`]: changed }, object, '--server-side');
      expect({ out, err }).to.deep.equal({ out: 'pod/a serverside-applied\n', err: '' });
      expect(sent()).to.deep.equal({
        body: { ...object, metadata: { name: 'a', labels: { x: 'y' }, namespace: 'default' } },
        type: 'application/apply-patch+yaml',
        query: { fieldManager: 'ctl', force: 'false' },
      });
      expect(api?.calls).to.deep.equal([`PATCH ${pods}/a`]);
    });

    it('passes on the manager, force and the rehearsal', async () => {
      const flags = ['--server-side', '--field-manager=me', '--force-conflicts', '--dry-run=server'];
      const { out } = await apply({ [`PATCH ${pods}/a`]: changed }, wanted({}), ...flags);
      expect(out).to.equal('pod/a serverside-applied (server dry run)\n');
      expect(sent().query).to.deep.equal({ fieldManager: 'me', force: 'true', dryRun: 'All' });
    });

    it('prints the object when asked to', async () => {
      const print = async (format: string) => {
        const { out } = await apply(
          { [`PATCH ${pods}/a`]: changed },
          wanted({}),
          '--server-side',
          '-o',
          format,
        );
        await api?.stop();
        return out;
      };
      expect(await print('name')).to.equal('pod/a\n');
      expect(await print('jsonpath={.metadata.resourceVersion}')).to.equal('8');
    });

    const conflict = (...causes: readonly (readonly [field: string, message: string])[]) =>
      failure(409, 'Conflict', `Apply failed with ${causes.length} conflicts: [the server's text]`, {
        causes: causes.map(([field, message]) => ({ reason: 'FieldManagerConflict', field, message })),
      });
    const waysOut = `
These fields have other managers. There are three ways to go on:
* To manage all of them from now on, run the command again with
  \`--force-conflicts\`.
* To leave them to their managers, take them out of the file.
* To share a field, give it the value that it has now. It is yours alone
  when the other managers no longer set it.
`;

    it('shows one conflict as the server words it, and the ways out', async () => {
      const text = 'Apply failed with 1 conflict: conflict with "other" using v1: .spec.nodeName';
      const details = { causes: [{ reason: 'FieldManagerConflict', field: '.spec.nodeName', message: 'x' }] };
      const { code, err } = await apply(
        { [`PATCH ${pods}/a`]: failure(409, 'Conflict', text, details) },
        wanted({}),
        '--server-side',
      );
      expect({ code, err }).to.deep.equal({ code: 1, err: `error: ${text}${waysOut}` });
    });

    it('gives each of several conflicts its line', async () => {
      const answer = conflict(
        ['.spec.nodeName', 'conflict with "other" using v1'],
        ['.metadata.labels.x', 'conflict with "third"'],
      );
      const { err } = await apply({ [`PATCH ${pods}/a`]: answer }, wanted({}), '--server-side');
      expect(err).to.equal(`error: Apply failed with 2 conflicts:
- .spec.nodeName: conflict with "other" using v1
- .metadata.labels.x: conflict with "third"${waysOut}`);
    });

    it('says so when the server does not know such patches', async () => {
      const answer = failure(415, 'UnsupportedMediaType', 'no such format');
      const { err } = await apply({ [`PATCH ${pods}/a`]: answer }, wanted({}), '--server-side');
      expect(err).to.equal(
        'error: error when applying "STDIN": Server-side apply not available on the server: (no such format)\n',
      );
    });

    for (const [flags, text] of [
      [['--force-conflicts'], '--force-conflicts only works with --server-side'],
      [
        ['--server-side', '--dry-run=client'],
        "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
      ],
      [['--server-side', '--force'], '--force cannot be used with --server-side'],
      [['--dry-run=server', '--force'], '--dry-run=server cannot be used with --force'],
    ] as const) {
      it(`refuses ${flags.join(' ')}`, async () => {
        expect(await apply({}, wanted({}), ...flags)).to.deep.equal({
          code: 1,
          out: '',
          err: `error: ${text}\n`,
        });
        expect(api?.requests).to.deep.equal([]);
      });
    }
  });
});
