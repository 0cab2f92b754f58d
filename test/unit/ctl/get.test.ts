import { expect } from 'chai';
import { FakeApi, type FakeRoutes, failure, pod, podTable } from './support/fake-api.ts';
import { run } from './support/run.ts';

const pods = '/api/v1/namespaces/default/pods';

describe('ctl get', () => {
  let api: FakeApi | undefined;
  const start = async (routes: FakeRoutes = {}) => {
    api = await FakeApi.start(routes);
    return (...args: string[]) => run([...args, '-s', api?.url ?? '']);
  };
  afterEach(async () => {
    await api?.stop();
    api = undefined;
  });

  it('prints the table that the server makes, without wide columns', async () => {
    const ctl = await start({ [`GET ${pods}`]: { body: podTable(['web', '1/1'], ['database', '0/1']) } });
    const { code, out, err } = await ctl('get', 'pods');
    expect({ code, out, err }).to.deep.equal({
      code: 0,
      out: 'NAME       READY\nweb        1/1\ndatabase   0/1\n',
      err: '',
    });
    expect(api?.last('GET').headers.accept).to.equal(
      'application/json;as=Table;v=v1;g=meta.orch.io,application/json;as=Table;v=v1beta1;g=meta.orch.io,application/json',
    );
    expect(api?.last('GET').query.get('limit')).to.equal('500');
  });

  const layouts: readonly (readonly [string, string[], string])[] = [
    ['shows wide columns', ['-o', 'wide'], 'NAME   READY   NODE\nweb    1/1     n1\n'],
    ['leaves headings out', ['--no-headers'], 'web   1/1\n'],
    ['shows labels', ['--show-labels'], 'NAME   READY   LABELS\nweb    1/1     app=web\n'],
    ['shows labels as columns', ['-L', 'app,x/tier'], 'NAME   READY   APP   TIER\nweb    1/1     web   \n'],
    ['shows kinds', ['--show-kind'], 'NAME      READY\npod/web   1/1\n'],
  ];
  for (const [title, flags, text] of layouts) {
    it(title, async () => {
      const ctl = await start({ [`GET ${pods}`]: { body: podTable(['web', '1/1']) } });
      expect((await ctl('get', 'po', ...flags)).out).to.equal(text);
    });
  }

  it('shows the namespace with -A and asks for all of them', async () => {
    const ctl = await start({ 'GET /api/v1/pods': { body: podTable(['web', '1/1']) } });
    expect((await ctl('get', 'pods', '-A')).out).to.equal(
      'NAMESPACE   NAME   READY\ndefault     web    1/1\n',
    );
  });

  it('passes selectors on', async () => {
    const ctl = await start({ [`GET ${pods}`]: { body: podTable(['web', '1/1']) } });
    await ctl('get', 'pods', '-l', 'app in (a,b)', '--field-selector=status.phase=Running');
    expect(api?.last('GET').query.get('labelSelector')).to.equal('app in (a,b)');
    expect(api?.last('GET').query.get('fieldSelector')).to.equal('status.phase=Running');
  });

  it('goes on with the next chunk until there is none', async () => {
    const ctl = await start({
      [`GET ${pods}`]: ({ query }) =>
        query.get('continue') === 'more'
          ? { body: podTable(['b', '1/1']) }
          : { body: { ...podTable(['a', '1/1']), metadata: { continue: 'more' } } },
    });
    expect((await ctl('get', 'pods', '--chunk-size=1')).out).to.equal(
      'NAME   READY\na      1/1\nb      1/1\n',
    );
  });

  it('separates several types by a blank line and names their kinds', async () => {
    const ctl = await start({
      [`GET ${pods}`]: { body: podTable(['web', '1/1']) },
      'GET /apis/apps/v1/namespaces/default/deployments': { body: podTable(['web', '2/2']) },
      'GET /api/v1/namespaces/default/services': { body: podTable() },
    });
    expect((await ctl('get', 'all')).out).to.equal(
      'NAME      READY\npod/web   1/1\n\nNAME                  READY\ndeployment.apps/web   2/2\n',
    );
  });

  it('has no blank line between types without headings', async () => {
    const ctl = await start({
      [`GET ${pods}`]: { body: podTable(['web', '1/1']) },
      'GET /apis/apps/v1/namespaces/default/deployments': { body: podTable(['web', '2/2']) },
    });
    expect((await ctl('get', 'pods,deployments', '--no-headers')).out).to.equal(
      'pod/web   1/1\ndeployment.apps/web   2/2\n',
    );
  });

  it('escapes in JSON what browsers could take for something else', async () => {
    const ctl = await start({ [`GET ${pods}/a`]: { body: { ...pod('a'), note: '<&>' } } });
    expect((await ctl('get', 'pod', 'a', '-o', 'json')).out).to.include('"note": "\\u003c\\u0026\\u003e"');
  });

  const refusals = [
    ['pods --show-labels -o yaml', 'error: --show-labels option cannot be used with yaml printer\n'],
    [
      'pods --output-watch-events',
      'error: --output-watch-events option can only be used with --watch or --watch-only\n',
    ],
    ['--raw x', 'error: --raw must be a valid URL path: parse "x": invalid URI for request\n'],
  ] as const;
  for (const [line, text] of refusals) {
    it(`refuses ${line}`, async () => {
      const ctl = await start({});
      const { code, err } = await ctl('get', ...line.split(' '));
      expect(err.slice(0, text.length)).to.equal(text);
      expect(code).to.equal(1);
    });
  }

  it('reads objects by name and shares one table', async () => {
    const ctl = await start({
      [`GET ${pods}/a`]: { body: podTable(['a', '1/1']) },
      [`GET ${pods}/longer`]: { body: podTable(['longer', '1/1']) },
    });
    const { code, out, err } = await ctl('get', 'pods', 'a', 'missing', 'longer');
    expect(out).to.equal('NAME     READY\na        1/1\nlonger   1/1\n');
    expect(err).to.equal('Error from server (NotFound): pods "missing" not found\n');
    expect(code).to.equal(1);
  });

  it('takes type/name pairs', async () => {
    const ctl = await start({ [`GET ${pods}/a`]: { body: podTable(['a', '1/1']) } });
    expect((await ctl('get', 'pod/a')).out).to.equal('NAME   READY\na      1/1\n');
  });

  it('sorts rows by a path into their objects', async () => {
    const ctl = await start({ [`GET ${pods}`]: { body: podTable(['b', '1'], ['a', '2']) } });
    expect((await ctl('get', 'pods', '--sort-by=.metadata.name', '--no-headers')).out).to.equal(
      'a     2\nb     1\n',
    );
    expect(api?.last('GET').query.get('includeObject')).to.equal('Object');
  });

  it('prints one object as it is and several as a List', async () => {
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [{ metadata: { name: 'a' } }] };
    const ctl = await start({ [`GET ${pods}/a`]: { body: pod('a') }, [`GET ${pods}`]: { body: list } });
    expect(JSON.parse((await ctl('get', 'pod', 'a', '-o', 'json')).out)).to.deep.equal(pod('a'));
    expect((await ctl('get', 'pods', '-o', 'yaml')).out).to.equal(
      'apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\nkind: List\nmetadata:\n  resourceVersion: ""\n  selfLink: ""\n',
    );
  });

  const machineFormats: readonly (readonly [string, string])[] = [
    ['name', 'pod/a\n'],
    ['jsonpath={.items[*].metadata.name}', 'a'],
    ['jsonpath={range .items[*]}{.kind}{"\\t"}{.metadata.name}{"\\n"}{end}', 'Pod\ta\n'],
    ['custom-columns=NAME:.metadata.name,MISSING:.x', 'NAME   MISSING\na      <none>\n'],
  ];
  for (const [format, text] of machineFormats) {
    it(`prints -o ${format}`, async () => {
      const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [{ metadata: { name: 'a' } }] };
      const ctl = await start({ [`GET ${pods}`]: { body: list } });
      expect((await ctl('get', 'pods', '-o', format)).out).to.equal(text);
    });
  }

  it('lays out lists of servers that have no tables', async () => {
    const ctl = await start({ [`GET ${pods}`]: { body: { kind: 'PodList', items: [pod('a')] } } });
    expect((await ctl('get', 'pods')).out).to.equal('NAME   AGE\na      <unknown>\n');
  });

  it('follows changes after the list, from the version of the list', async () => {
    const controller = new AbortController();
    const event = (type: string, name: string) => ({
      type,
      object: { ...podTable([name, '1/1']), columnDefinitions: null },
    });
    api = await FakeApi.start({
      [`GET ${pods}`]: ({ query }) => {
        if (query.get('watch') !== 'true') return { body: podTable(['a', '0/1']) };
        if (query.get('resourceVersion') === '100')
          return { lines: [event('MODIFIED', 'a'), event('ADDED', 'b')] };
        controller.abort();
        return { lines: [] };
      },
    });
    const argv = ['get', 'pods', '-w', '--output-watch-events', '-s', api.url];
    const { out } = await run(argv, { signal: controller.signal });
    expect(out).to.equal(
      'EVENT   NAME   READY\nADDED   a      0/1\nMODIFIED   a      1/1\nADDED      b      1/1\n',
    );
  });

  it('follows several types and objects at once', async () => {
    const controller = new AbortController();
    const watched: string[] = [];
    const follow =
      (list: readonly (readonly [string, string])[]): FakeRoutes[string] =>
      ({ query, path }) => {
        if (query.get('watch') !== 'true') return { body: podTable(...list) };
        watched.push(`${path.slice(path.lastIndexOf('/') + 1)} ${query.get('fieldSelector') ?? ''}`.trim());
        if (watched.length >= 3) controller.abort();
        return { lines: [] };
      };
    api = await FakeApi.start({
      [`GET ${pods}/a`]: follow([['a', '0/1']]),
      [`GET ${pods}/b`]: follow([['b', '0/1']]),
      [`GET ${pods}`]: follow([]),
      'GET /api/v1/namespaces/default/services/a': follow([['a', 'x']]),
      'GET /api/v1/namespaces/default/services': follow([]),
    });
    const { out, code } = await run(['get', 'pod/a', 'pod/b', 'svc/a', '-w', '-s', api.url], {
      signal: controller.signal,
    });
    expect(code).to.equal(0);
    expect(out.split('\n').toSorted()).to.deep.equal(
      ['', 'NAME        READY', 'NAME    READY', 'pod/a   0/1', 'pod/b   0/1', 'service/a   x'].toSorted(),
    );
    expect(new Set(watched)).to.include.all.keys('pods metadata.name=a', 'services metadata.name=a');
  });

  it('bounds what is followed at once', async () => {
    const ctl = await start();
    const names = Array.from({ length: 101 }, (_, index) => `p${index}`);
    expect((await ctl('get', 'pods', ...names, '-w')).err).to.equal(
      'error: at most 100 objects and types can be watched at once, not 101\n',
    );
  });

  const failures: readonly (readonly [string, string[], FakeRoutes, string])[] = [
    [
      'a type that does not exist',
      ['get', 'foo'],
      {},
      `error: the server doesn't have a resource type "foo"\n`,
    ],
    [
      'nothing found',
      ['get', 'pods'],
      { [`GET ${pods}`]: { body: podTable() } },
      'No resources found in default namespace.\n',
    ],
    [
      'nothing found anywhere',
      ['get', 'pods', '-A'],
      { 'GET /api/v1/pods': { body: podTable() } },
      'No resources found\n',
    ],
    [
      'a request that is not allowed',
      ['get', 'pods'],
      { [`GET ${pods}`]: failure(403, 'Forbidden', 'pods is forbidden: no') },
      'Error from server (Forbidden): pods is forbidden: no\n',
    ],
    [
      'missing credentials',
      ['get', 'pods'],
      { [`GET ${pods}`]: failure(401, 'Unauthorized', 'Unauthorized') },
      'error: You must be logged in to the server (Unauthorized)\n',
    ],
    [
      'a name and all namespaces',
      ['get', 'pods', 'a', '-A'],
      {},
      'error: a resource cannot be retrieved by name across all namespaces\n',
    ],
    [
      'a name and a selector',
      ['get', 'pods', 'a', '-l', 'a=b'],
      {},
      'error: name cannot be provided when a selector is specified\n',
    ],
    [
      'a watch of two types',
      ['get', 'pods,services', '-w', '--dialect=kubernetes'],
      {},
      'error: you may only specify a single resource type\n',
    ],
    [
      'a type beside --raw',
      ['get', 'pods', '--raw=/api'],
      {},
      'error: arguments may not be passed when --raw is specified\n',
    ],
    [
      'a format beside --raw',
      ['get', '--raw=/api', '-o', 'json'],
      {},
      "error: --raw and --output are mutually exclusive\nSee 'ctl get -h' for help and examples\n",
    ],
    [
      'a selector beside --raw',
      ['get', '--raw=/api', '-l', 'a=b'],
      {},
      'error: --raw may not be specified with other flags that filter the server request or alter the output\n',
    ],
    [
      'an unknown flag',
      ['get', 'pods', '--foo'],
      {},
      `Error: unknown flag: --foo\nSee 'ctl get --help' for usage.\n`,
    ],
  ];
  for (const [title, argv, routes, text] of failures) {
    it(`words ${title} as the reference does`, async () => {
      const ctl = await start(routes);
      const { err, code } = await ctl(...argv);
      expect(err).to.equal(text);
      expect(code).to.equal(text.startsWith('No resources') ? 0 : 1);
    });
  }

  it('says which server refused the connection', async () => {
    const { err, code } = await run(['get', 'pods', '-s', 'http://127.0.0.1:1']);
    expect(err).to.equal(
      'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?\n',
    );
    expect(code).to.equal(1);
  });

  it('ignores objects that do not exist when told so', async () => {
    const ctl = await start();
    expect(await ctl('get', 'pod', 'x', '--ignore-not-found')).to.deep.equal({ code: 0, out: '', err: '' });
  });

  it('shows warnings of the server once', async () => {
    const headers = { warning: '299 - "old \\"v1\\"", 299 - "old \\"v1\\""' };
    const ctl = await start({ [`GET ${pods}`]: { headers, body: podTable(['a', '1/1']) } });
    expect((await ctl('get', 'pods')).err).to.equal('Warning: old "v1"\n');
    expect((await ctl('get', 'pods', '--warnings-as-errors')).err).to.equal(
      'Warning: old "v1"\nerror: 1 warning received\n',
    );
  });

  it('makes control characters of a server visible', async () => {
    const ctl = await start({ [`GET ${pods}`]: { body: podTable(['\u001b[31mred\nnext', '1/1']) } });
    expect((await ctl('get', 'pods', '--no-headers')).out).to.equal('^[[31mred...   1/1\n');
  });
});
