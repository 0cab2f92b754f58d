import { expect } from 'chai';
import { FakeApi, type FakeRoutes, failure, pod } from './support/fake-api.ts';
import { type RunResult, run } from './support/run.ts';

const pods = '/api/v1/namespaces/default/pods';
const lastApplied = 'ctl.orch.io/last-applied-configuration';
const deleted = { body: { kind: 'Status', status: 'Success' } };

/** A pod that apply made. */
const applied = (name: string, metadata: object = {}) =>
  pod(name, { metadata: { annotations: { [lastApplied]: '{}' }, labels: { app: 'x' }, ...metadata } });

const stdin = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', labels: { app: 'x' } },
});
const list = (...items: object[]) => ({ body: { items, metadata: {} } });

describe('ctl apply --prune', () => {
  let api: FakeApi | undefined;
  afterEach(async () => {
    await api?.stop();
    api = undefined;
  });
  const prune = async (routes: FakeRoutes, ...flags: string[]): Promise<RunResult> => {
    api = await FakeApi.start({
      [`GET ${pods}/a`]: { body: applied('a') },
      [`PATCH ${pods}/a`]: { body: applied('a') },
      ...routes,
    });
    return run(['apply', '--prune', '-f', '-', ...flags, '-s', api.url], { stdin });
  };
  const deletions = () => api?.calls.filter((call) => call.startsWith('DELETE')) ?? [];
  const onlyPods = '--prune-whitelist=core/v1/Pod';

  it('deletes what was applied before and is missing now', async () => {
    const { code, out, err } = await prune(
      {
        [`GET ${pods}`]: list(applied('a'), applied('gone'), pod('made-otherwise')),
        [`DELETE ${pods}/gone`]: deleted,
      },
      '-l',
      'app=x',
      onlyPods,
    );
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out).to.match(/^pod\/a (unchanged|configured)\npod\/gone pruned\n$/);
    expect(deletions()).to.deep.equal([`DELETE ${pods}/gone`]);
    expect(api?.last('DELETE').body).to.deep.equal({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Background',
    });
    const listing = api?.requests.find(({ path }) => path === pods);
    expect(listing?.query.get('labelSelector')).to.equal('app=x');
  });

  it('knows an object by its uid, not by its name', async () => {
    const routes = {
      [`GET ${pods}`]: list(applied('alias', { uid: 'uid-a' }), applied('a', { uid: 'older' })),
      [`DELETE ${pods}/a`]: deleted,
    };
    expect((await prune(routes, '--all', onlyPods)).out).to.match(/\npod\/a pruned\n$/);
    expect(deletions()).to.deep.equal([`DELETE ${pods}/a`]);
  });

  it('lists all pages before it deletes', async () => {
    await prune(
      {
        [`GET ${pods}`]: ({ query }) =>
          query.get('continue') === null || query.get('continue') === ''
            ? { body: { items: [applied('b')], metadata: { continue: 'more' } } }
            : list(applied('c')),
        [`DELETE ${pods}/b`]: deleted,
        [`DELETE ${pods}/c`]: deleted,
      },
      '--all',
      onlyPods,
    );
    const calls = (api?.calls ?? []).filter((call) => call === `GET ${pods}` || call.startsWith('DELETE'));
    expect(calls).to.deep.equal([`GET ${pods}`, `GET ${pods}`, `DELETE ${pods}/b`, `DELETE ${pods}/c`]);
  });

  it('looks only into namespaces of the files, and at kinds without namespace everywhere', async () => {
    const gone = {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name: 'old', annotations: { [lastApplied]: '{}' } },
    };
    const { out } = await prune(
      {
        [`GET ${pods}`]: list(),
        'GET /api/v1/namespaces': list(gone),
        'DELETE /api/v1/namespaces/old': deleted,
      },
      '--all',
      '--prune-whitelist=core/v1/Namespace',
      onlyPods,
    );
    expect(out).to.match(/\nnamespace\/old pruned\n$/);
    expect(api?.calls.filter((call) => /^GET .*(pods|namespaces)$/.test(call))).to.deep.equal([
      `GET ${pods}`,
      'GET /api/v1/namespaces',
    ]);
  });

  it('deletes nothing when a file could not be applied', async () => {
    const { code, err } = await prune(
      { [`GET ${pods}/a`]: failure(403, 'Forbidden', 'no'), [`GET ${pods}`]: list(applied('gone')) },
      '--all',
      onlyPods,
    );
    expect(code).to.equal(1);
    expect(err).to.match(/Forbidden/);
    expect(api?.calls).to.deep.equal([`GET ${pods}/a`]);
  });

  it('keeps everything in a rehearsal of the client, what was applied included', async () => {
    const other = { metadata: { name: 'a', labels: { app: 'y' } } };
    const { out } = await prune(
      {
        [`GET ${pods}/a`]: { body: { ...applied('a'), ...other } },
        [`GET ${pods}`]: list(applied('a'), applied('gone')),
      },
      '--all',
      onlyPods,
      '--dry-run=client',
    );
    expect(out).to.equal('pod/a configured (dry run)\npod/gone pruned (dry run)\n');
    expect(deletions()).to.deep.equal([]);
  });

  it('asks the server to rehearse, too', async () => {
    const routes = { [`GET ${pods}`]: list(applied('gone')), [`DELETE ${pods}/gone`]: deleted };
    const { out } = await prune(routes, '--all', onlyPods, '--dry-run=server');
    expect(out).to.match(/\npod\/gone pruned \(server dry run\)\n$/);
    expect(api?.last('DELETE').body).to.deep.include({ dryRun: ['All'] });
  });

  const deletionFlags: readonly (readonly [flags: string[], body: object])[] = [
    [['--cascade=orphan'], { propagationPolicy: 'Orphan' }],
    [['--cascade=foreground'], { propagationPolicy: 'Foreground' }],
    [['--grace-period=0'], { gracePeriodSeconds: 0 }],
    [['--grace-period=7'], { gracePeriodSeconds: 7 }],
  ];
  for (const [flags, body] of deletionFlags) {
    it(`hands ${flags.join(' ')} on to the server`, async () => {
      const routes = { [`GET ${pods}`]: list(applied('gone')), [`DELETE ${pods}/gone`]: deleted };
      await prune(routes, '--all', onlyPods, ...flags);
      expect(api?.last('DELETE').body).to.deep.include(body);
    });
  }

  const early: readonly (readonly [title: string, flags: string[], text: string])[] = [
    [
      'no selection',
      [],
      'error: all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector\n',
    ],
    ['two selections', ['--all', '-l', 'app=x'], 'error: cannot set --all and --selector at the same time\n'],
    [
      'a kind without its version',
      ['--all', '--prune-whitelist=core/Pod'],
      'error: invalid GroupVersionKind format: core/Pod, please follow <group/version/kind>\n',
    ],
    [
      'a kind that nobody serves',
      ['--all', '--prune-whitelist=x.io/v1/Foo'],
      'error: no matches for kind "Foo" in version "x.io/v1"\n',
    ],
    [
      'an unknown cascade',
      ['--all', '--cascade=maybe'],
      'error: invalid cascade value (maybe). Must be "background", "foreground", or "orphan"\n',
    ],
  ];
  for (const [title, flags, text] of early) {
    it(`refuses ${title} before anything is applied`, async () => {
      expect(await prune({}, ...flags)).to.deep.equal({ code: 1, out: '', err: text });
      expect(api?.calls).to.deep.equal([]);
    });
  }

  it('says which of its own kinds a server lacks, and deletes nothing', async () => {
    const { code, err } = await prune({}, '--all');
    expect({ code, err }).to.deep.equal({
      code: 1,
      err: 'error: error retrieving RESTMappings to prune: invalid resource /v1, Kind=Endpoints, Namespaced=true: no matches for kind "Endpoints" in version "v1"\n',
    });
    expect(deletions()).to.deep.equal([]);
  });

  it('stops at what cannot be deleted and says of which kind it was', async () => {
    const routes = {
      [`GET ${pods}`]: list(applied('b'), applied('c')),
      [`DELETE ${pods}/b`]: failure(403, 'Forbidden', 'pods "b" is forbidden'),
    };
    const { code, err } = await prune(routes, '--all', onlyPods);
    expect({ code, err }).to.deep.equal({
      code: 1,
      err: 'error: error pruning namespaced object /v1, Kind=Pod: pods "b" is forbidden\n',
    });
    expect(deletions()).to.deep.equal([`DELETE ${pods}/b`]);
  });

  it('says in its help that it deletes', async () => {
    const { out } = await run(['apply', '--help']);
    expect(out).to.match(/--prune\n +DELETES objects that were applied before/);
  });
});
