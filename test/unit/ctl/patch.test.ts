import { expect } from 'chai';
import { FakeApi, type FakeRoutes, failure, pod } from './support/fake-api.ts';
import { type RunResult, run } from './support/run.ts';

const path = '/api/v1/namespaces/default/pods/a';
const live = {
  ...pod('a', { metadata: { labels: { app: 'x' } } }),
  spec: { containers: [{ name: 'c', image: 'x:1' }] },
};

describe('ctl patch', () => {
  let api: FakeApi | undefined;
  afterEach(async () => {
    await api?.stop();
    api = undefined;
  });
  const patch = async (routes: FakeRoutes, ...args: string[]): Promise<RunResult> => {
    api = await FakeApi.start({ [`GET ${path}`]: { body: live }, ...routes });
    return run(['patch', ...args, '-s', api.url]);
  };
  const rehearse = (...args: string[]) => patch({}, 'pod', 'a', '--dry-run=client', ...args);

  interface Case {
    readonly type: string;
    readonly text: string;
    readonly template: string;
    readonly wanted: string;
  }
  const cases: readonly Case[] = [
    {
      type: 'strategic',
      text: '{"spec":{"containers":[{"name":"d","image":"y:2"}]}}',
      template: '{.spec.containers[*].name}',
      wanted: 'd c',
    },
    {
      type: 'strategic',
      text: '{"spec":{"containers":[{"name":"c","$patch":"delete"}],"tolerations":[{"key":"k","value":null}]}}',
      template: '{.spec.containers} {.spec.tolerations}',
      wanted: '<nil> [{"key":"k"}]',
    },
    {
      type: 'merge',
      text: '{"metadata":{"labels":{"app":null}},"spec":{"containers":[{"name":"d"}]}}',
      template: '{.spec.containers[*].name}{.metadata.labels}',
      wanted: 'd{}',
    },
    {
      type: 'json',
      text: '[{"op":"replace","path":"/spec/containers/0/image","value":"z"},{"op":"add","path":"/metadata/labels/b","value":"2"}]',
      template: '{.spec.containers[0].image} {.metadata.labels}',
      wanted: 'z {"app":"x","b":"2"}',
    },
    {
      type: 'merge',
      text: '{metadata: {labels: {app: yaml}}}',
      template: '{.metadata.labels.app}',
      wanted: 'yaml',
    },
  ];
  for (const { type, text, template, wanted } of cases) {
    it(`shows what a ${type} patch would make: ${text}`, async () => {
      const { out, err } = await rehearse('--type', type, '-p', text, '-o', `jsonpath=${template}`);
      expect({ out, err }).to.deep.equal({ out: wanted, err: '' });
      expect(api?.calls).to.deep.equal([`GET ${path}`]);
    });
  }

  it('says in a rehearsal whether the patch would change anything', async () => {
    expect((await rehearse('-p', '{"metadata":{"labels":{"app":"y"}}}')).out).to.equal(
      'pod/a patched (dry run)\n',
    );
    await api?.stop();
    expect((await rehearse('--type=merge', '-p', '{"metadata":{"labels":{"app":"x"}}}')).out).to.equal(
      'pod/a patched (no change) (dry run)\n',
    );
  });

  for (const [args, text] of [
    [['--type=json', '-p', '[{"op":"test","path":"/kind","value":"Node"}]'], 'testing value /kind failed'],
    [['--type=json', '-p', '{}'], 'cannot unmarshal object into Go value'],
    [['--type=merge', '-p', '{"metadata":null}'], 'the patch takes apiVersion, kind or metadata away'],
    [['-p', '{"spec":{"containers":[{"image":"x"}]}}'], 'does not contain declared merge key: name'],
    [['-p', '{"spec":{"nodeName":1}}'], 'ReadString'],
  ] as const) {
    it(`refuses in a rehearsal what does not fit: ${args.join(' ')}`, async () => {
      const { code, out, err } = await rehearse(...args);
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err)
        .to.match(/^error: /)
        .and.contain(text);
    });
  }

  describe('for custom resources', () => {
    const thingPath = '/apis/example.com/v1/namespaces/default/things/t';
    const version = { groupVersion: 'example.com/v1', version: 'v1' };
    const routes: FakeRoutes = {
      'GET /apis': {
        body: { groups: [{ name: 'example.com', versions: [version], preferredVersion: version }] },
      },
      'GET /apis/example.com/v1': {
        body: {
          groupVersion: 'example.com/v1',
          resources: [
            { name: 'things', singularName: '', namespaced: true, kind: 'Thing', verbs: ['get', 'patch'] },
          ],
        },
      },
      [`GET ${thingPath}`]: {
        body: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't', namespace: 'default' } },
      },
      [`PATCH ${thingPath}`]: ({ headers, body }) =>
        headers['content-type'] === 'application/merge-patch+json'
          ? {
              body: {
                apiVersion: 'example.com/v1',
                kind: 'Thing',
                metadata: { name: 't' },
                ...(body as object),
              },
            }
          : failure(415, 'UnsupportedMediaType', 'the body of the request was in an unknown format'),
    };

    it('shows what the server says of a strategic patch', async () => {
      const { code, err } = await patch(routes, 'thing', 't', '-p', '{"spec":{}}');
      expect({ code, err }).to.deep.equal({
        code: 1,
        err: 'Error from server (UnsupportedMediaType): the body of the request was in an unknown format\n',
      });
      expect(api?.last('PATCH').headers['content-type']).to.equal('application/strategic-merge-patch+json');
    });

    it('knows no lists to merge by key in a rehearsal', async () => {
      const { code, err } = await patch(routes, 'thing', 't', '-p', '{"spec":{}}', '--dry-run=client');
      expect({ code, err }).to.deep.equal({
        code: 1,
        err: 'error: cannot apply strategic merge patch for example.com/v1, Kind=Thing locally, try --type merge\n',
      });
    });

    it('sends and rehearses merge patches', async () => {
      const flags = ['thing', 't', '--type=merge', '-p', '{"spec":{"a":1}}', '-o', 'jsonpath={.spec.a}'];
      expect((await patch(routes, ...flags)).out).to.equal('1');
      await api?.stop();
      expect((await patch(routes, ...flags, '--dry-run=client')).out).to.equal('1');
    });
  });
});
