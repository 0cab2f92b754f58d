import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { adviceLine } from '../../../src/config/index.ts';
import { FakeApi } from './support/fake-api.ts';
import { run } from './support/run.ts';

const definitions = {
  'core.Pod': {
    type: 'object',
    properties: { kind: { type: 'string' }, spec: { $ref: '#/definitions/core.PodSpec' } },
    'x-orch-group-version-kind': [{ group: '', kind: 'Pod', version: 'v1' }],
  },
  'core.PodSpec': { type: 'object', properties: { containers: { type: 'array', items: {} } } },
};

const formats =
  'custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,template,templatefile,wide,yaml';

describe('adviceLine', () => {
  it('is a line of its own, or nothing', () => {
    expect(adviceLine('pds', ['nodes', 'pods', 'pdb'])).to.equal('\ndid you mean pods?');
    expect(adviceLine('foo', ['pods'])).to.equal('');
    expect(adviceLine('', ['po'])).to.equal('');
  });
});

describe('a name on the command line that is likely a typing mistake', () => {
  let folder: string;
  let api: FakeApi;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ctl-suggestions-'));
    api = await FakeApi.start({ 'GET /openapi/v2': { body: { swagger: '2.0', definitions } } });
    const config = {
      contexts: [{ name: 'prod', context: { cluster: 'prod-eu', user: 'admin' } }],
      clusters: [{ name: 'prod-eu', cluster: { server: api.url } }],
      users: [{ name: 'admin', user: {} }],
      'current-context': 'prod',
    };
    writeFileSync(join(folder, 'config'), JSON.stringify(config));
    writeFileSync(
      join(folder, 'app.json'),
      '{"apiVersion":"apps/v1","kind":"Deploymnt","metadata":{"name":"a"}}',
    );
  });
  after(async () => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const type = (typed: string) => `the server doesn't have a resource type ${typed}`;
  const format = (typed: string, known: string) =>
    `error: unable to match a printer suitable for the output format "${typed}", allowed formats are: ${known}`;
  const lost = (context: string) =>
    `Error in configuration: context was not found for specified context: ${context}`;
  const cases: readonly (readonly [argv: string, text: string, meant?: string])[] = [
    ['get pds', `error: ${type('"pds"')}`, 'pods'],
    ['get Podss', `error: ${type('"Podss"')}`, 'pods'],
    ['get deploymets.apps web', `error: ${type('"deploymets"')}`, 'deployments'],
    ['get svx', `error: ${type('"svx"')}`, 'svc'],
    ['get pods,servces', `error: ${type('"servces"')}`, 'services'],
    ['delete pdo/x', `error: ${type('"pdo"')}`, 'pod'],
    ['get nothing-like-it', `error: ${type('"nothing-like-it"')}`],
    ['explain pds', type('"pds"'), 'pods'],
    ['explain pod.spec.contaners', 'error: field "contaners" does not exist', 'containers'],
    ['explain pod.spec.else', 'error: field "else" does not exist'],
    ['create role r --verb=get --resource=pds', type('"pds"'), 'pods'],
    ['get pods -o jsn', format('jsn', formats), 'json'],
    ['get pods -o jsonpaht={.a}', format('jsonpaht={.a}', formats), 'jsonpath'],
    ['get pods -o picture', format('picture', formats)],
    ['edit pods a -o yml', format('yml', 'json,yaml'), 'yaml'],
    ['version -o jsom', `error: --output must be 'yaml' or 'json'`, 'json'],
    ['api-resources -o wid', 'error: --output wid is not available', 'wide'],
    ['api-resources --sort-by=kin', 'error: --sort-by accepts only name or kind', 'kind'],
    ['get pods --context prd', lost('prd'), 'prod'],
    ['get pods --cluster prod-e', 'error: no server found for cluster "prod-e"', 'prod-eu'],
    ['get pods --user adimn', 'error: auth info "adimn" does not exist', 'admin'],
    ['get pods --user bob', 'error: auth info "bob" does not exist'],
    ['config use-context prdo', 'error: no context exists with the name: "prdo"', 'prod'],
    ['config view --minify --context prd', 'error: cannot locate context prd', 'prod'],
  ];
  for (const [line, text, meant] of cases) {
    it(`ctl ${line}: ${meant === undefined ? 'nothing is near' : `${meant} is named below the text`}`, async () => {
      const { code, err } = await run(line.split(' '), { env: { ORCHCONFIG: join(folder, 'config') } });
      const advice = meant === undefined ? '' : `did you mean ${meant}?\n`;
      expect({ code, err }).to.deep.equal({ code: 1, err: `${text}\n${advice}` });
    });
  }

  it('names the entry that deletion was likely meant for', async () => {
    const { err } = await run(['config', 'delete-user', 'admn'], {
      env: { ORCHCONFIG: join(folder, 'config') },
    });
    expect(err).to.match(/^error: cannot delete user admn, not in .*\ndid you mean admin\?\n$/);
  });

  it('names the context that was likely to be renamed', async () => {
    const { err } = await run(['config', 'rename-context', 'prd', 'live'], {
      env: { ORCHCONFIG: join(folder, 'config') },
    });
    expect(err).to.equal(
      `error: cannot rename the context "prd", it's not in ${join(folder, 'config')}\ndid you mean prod?\n`,
    );
  });

  it('names the kind that a manifest likely meant', async () => {
    const argv = ['create', '-f', join(folder, 'app.json'), '--validate=false', '-s', api.url];
    expect((await run(argv)).err).to.match(
      /^error: unable to recognize .*: no matches for kind "Deploymnt" in version "apps\/v1"\ndid you mean Deployment\?\n$/,
    );
  });

  it('warns with it where the release warns', async () => {
    const { err } = await run(['auth', 'can-i', 'get', 'pds', '-s', api.url]);
    expect(err).to.include("Warning: the server doesn't have a resource type 'pds'\ndid you mean pods?\n");
  });
});
