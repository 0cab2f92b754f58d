import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient } from '../../support/api-client.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const notFound = 'the server could not find the requested resource';
const notAllowed = 'the server does not allow this method on the requested resource';

describe('requests that do not fit', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    await admin.create(maps, configMap('there'));
  });
  after(() => server.stop());

  const paths: readonly (readonly [method: string, path: string, code: number, message: string])[] = [
    ['GET', '/api/v1/namespaces/default/namespaces', 404, notFound],
    ['POST', '/api/v1/bindings', 404, notFound],
    ['GET', '/apis/apps/v2', 404, notFound],
    ['OPTIONS', '/apis/apps/v2', 404, notFound],
    ['GET', '/api/v2', 404, notFound],
    ['GET', `${maps}/a%2Fb`, 404, notFound],
    ['GET', `${maps}/..`, 400, `Name parameter invalid: "..": may not be '..'`],
    ['DELETE', `${maps}/..`, 400, `Name parameter invalid: "..": may not be '..'`],
    ['DELETE', '/apis/apps/v1', 405, notAllowed],
    ['PUT', '/api', 405, notAllowed],
    ['POST', '/version', 405, notAllowed],
    ['POST', '/api/v1/watch/configmaps', 405, notAllowed],
    ['GET', '/api/v1/namespaces//pods/foo', 400, 'Namespace parameter required.'],
    ['DELETE', '/api/v1/namespaces//pods/foo', 400, 'Namespace parameter required.'],
    ['GET', '/api/v1/pods/foo', 404, notFound],
    ['GET', '/api/v1/proxy/nodes/foo', 404, notFound],
    ['GET', '/api/v1/proxy/namespaces/default/pods/foo', 404, notFound],
    ['GET', '/api/v1/watch/componentstatuses', 404, notFound],
    ['GET', '/api/v1/watch/componentstatuses/foo', 404, notFound],
    ['GET', '/api/v1/watch/namespaces/default/bindings', 404, notFound],
    ['GET', '/api/v1/watch/namespaces/default/pods/foo/status', 404, notFound],
    ['GET', '/api/v1/watch/namespaces/default/pods/foo/log', 404, notFound],
    ['GET', '/api/v1/watch/namespaces/default/status', 404, notFound],
    ['GET', '/apis/authorization.orch.io/v1/watch/selfsubjectaccessreviews', 404, notFound],
  ];
  for (const [method, path, code, message] of paths) {
    it(`${method} ${path}`, async () => {
      const answer = await admin.send(method, path, method === 'GET' ? {} : { body: {} });
      expect(answer.code).to.equal(code);
      expect(answer.body.message).to.equal(message);
    });
  }

  for (const path of [maps, `${maps}/there`, `${maps}/absent`, '/api/v1', '/version/']) {
    it(`HEAD ${path} is no method of it`, async () => {
      expect((await admin.send('HEAD', path)).code).to.equal(405);
    });
  }

  for (const method of ['POST', 'DELETE', 'PROPFIND'])
    for (const path of ['/apis', '/apis/apps', '/apis/apps/'])
      it(`${method} ${path} is as good as GET`, async () => {
        const { code, body } = await admin.send(method, path);
        expect([code, body.kind]).to.deep.equal([200, path === '/apis' ? 'APIGroupList' : 'APIGroup']);
      });

  it('a path that begins with two slashes is no path', async () => {
    const { code, body } = await admin.get('//api/v1/namespaces');
    expect([code, Object.keys(body)]).to.deep.equal([404, ['paths']]);
  });

  it('a path that names no resource is told so in text', async () => {
    const { code, text } = await admin.get('/api/v1/watch?a=b&c=d');
    expect(code).to.equal(500);
    expect(text).to.equal(
      'Internal Server Error: "/api/v1/watch?a=b&amp;c=d": failed to create RequestInfo: unable to determine kind and namespace from url, /api/v1/watch?a=b&amp;c=d\n',
    );
  });

  const bodies: readonly (readonly [body: string, path: string, message: RegExp])[] = [
    ['{', `${maps}/there`, /^couldn't get version\/kind; json parse error: unexpected end of JSON input$/],
    ['[]', `${maps}/there`, /^couldn't get version\/kind; json parse error: json: cannot unmarshal array/],
    [
      '{"apiVersion":"v1","kind":"Pod"}',
      `${maps}/there`,
      /^no kind "Pod" is registered for version "v1" in scheme "orch\.io\/apimachinery\//,
    ],
    [
      '{"apiVersion":"v1","kind":"Pod"}',
      maps,
      /^converting \(v1\.Pod\) to \(v1\.DeleteOptions\): unknown conversion$/,
    ],
    [
      '{"apiVersion":"v1","kind":"Foo"}',
      maps,
      /^no kind "Foo" is registered for version "v1" in scheme "orch\.io\/orch\/pkg\/api\/legacyscheme\/scheme\.go:30"$/,
    ],
    ['{"kind":"Status","apiVersion":"x/v1"}', maps, /^converting \(v1\.Status\) to /],
    ['{"kind":"CreateOptions","apiVersion":"apps/v1"}', maps, /^converting \(v1\.CreateOptions\) to /],
    [
      '{"kind":"CreateOptions","apiVersion":"x/v1"}',
      maps,
      /^no kind "CreateOptions" is registered for version "x/,
    ],
    ['{"kind":"CreateOptions","apiVersion":"x/v1"}', `${maps}/a`, /^converting \(v1\.CreateOptions\) to /],
    ['{"kind":"Table"}', `${maps}/a`, /^converting \(v1\.Table\) to /],
    [
      '{"kind":"Foo"}',
      '/apis/apps/v1/namespaces/default/deployments',
      /^no kind "Foo" is registered for version "apps\/v1" in scheme "/,
    ],
  ];
  for (const [bytes, path, message] of bodies) {
    it(`DELETE ${path} with ${bytes} is what the decoder says`, async () => {
      const answer = await admin.send('DELETE', path, { body: bytes });
      expect(answer.code).to.equal(500);
      expect(answer.body.message).to.match(message);
      expect(answer.body).not.to.have.property('reason');
    });
  }

  it('DELETE takes an empty kind for none', async () => {
    const answer = await admin.send('DELETE', `${maps}/a`, { body: { kind: '', apiVersion: 'x/v1' } });
    expect(answer.code).to.equal(404);
  });

  const schemes: readonly (readonly [path: string, kind: string, scheme: RegExp])[] = [
    [maps, 'ConfigMap', /\/legacyscheme\/scheme\.go:30"$/],
    [
      '/apis/apiextensions.orch.io/v1/customresourcedefinitions',
      'CustomResourceDefinition',
      /\/apiextensions-apiserver\/pkg\/apiserver\/apiserver\.go:52"$/,
    ],
    [
      '/apis/apiregistration.orch.io/v1/apiservices',
      'APIService',
      /\/orch-aggregator\/pkg\/apiserver\/scheme\/scheme\.go:32"$/,
    ],
  ];
  for (const [path, kind, scheme] of schemes) {
    it(`a ${kind} of an unknown version names the table of types of its server`, async () => {
      const answer = await admin.send('POST', path, { body: { apiVersion: 'bogus/v1', kind } });
      expect(answer.code).to.equal(400);
      expect(answer.body.message).to.match(scheme);
    });
  }

  it('a definition without a name is told that once', async () => {
    const path = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
    const { code, body } = await admin.send('POST', path, { body: {} });
    expect(code).to.equal(422);
    const texts = body.details.causes.map(({ field }: { field: string }) => field);
    expect(texts.filter((field: string) => field === 'metadata.name')).to.have.length(1);
  });

  for (const [method, path] of [
    ['GET', '/debug/pprof/bogus'],
    ['POST', '/debug/pprof/bogus'],
    ['GET', '/debug/pprof/a/b'],
  ] as const) {
    it(`${method} ${path} names no profile`, async () => {
      const { code, text, headers } = await admin.send(method, path);
      expect([code, text, headers['content-type']]).to.deep.equal([
        404,
        'Unknown profile\n',
        'text/plain; charset=utf-8',
      ]);
      expect(headers['x-go-pprof']).to.equal('1');
    });
  }

  it('a watch by its path may name a match as a list does', async () => {
    const path = '/api/v1/watch/namespaces/default/configmaps?resourceVersionMatch=exact';
    const causes = async (more: string) =>
      (await admin.get(path + more)).body.details.causes.map(({ message }: { message: string }) => message);
    const unsupported = 'Unsupported value: "exact": supported values: "Exact", "NotOlderThan", ""';
    expect(await causes('&resourceVersion=1')).to.deep.equal([unsupported]);
    expect(await causes('&resourceVersion=1&watch=true')).to.deep.equal([
      'Forbidden: resourceVersionMatch is forbidden for watch',
      unsupported,
    ]);
  });

  const ofMany: readonly (readonly [path: string, apiVersion: string, version: string | undefined])[] = [
    [maps, 'apps/v1', undefined],
    [maps, 'v1', undefined],
    [maps, 'meta.orch.io/v1', 'version "meta.orch.io/v1"'],
    [maps, 'apps/v9', 'version "apps/v9"'],
    [maps, 'apps/__internal', 'the internal version of group "apps"'],
    [maps, 'apiregistration.orch.io/v1', 'version "apiregistration.orch.io/v1"'],
    ['/apis/apiregistration.orch.io/v1/apiservices', 'apiregistration.orch.io/v1', undefined],
    ['/apis/apiregistration.orch.io/v1/apiservices', 'apps/v1', 'version "apps/v1"'],
  ];
  for (const [path, apiVersion, version] of ofMany) {
    it(`DELETE ${path} with options of ${apiVersion}`, async () => {
      const answer = await admin.send('DELETE', `${path}?labelSelector=a%3Dnone`, {
        body: { apiVersion, kind: 'DeleteOptions', dryRun: ['All'] },
      });
      if (version === undefined) expect(answer.code).to.equal(200);
      else
        expect(answer.body.message).to.match(
          new RegExp(`^no kind "DeleteOptions" is registered for ${version} in scheme "`),
        );
    });
  }

  for (const path of ['pods/absent/exec', 'pods/absent/portforward', 'services/absent/proxy']) {
    it(`${path} has no dry run`, async () => {
      const answer = await admin.send('POST', `/api/v1/namespaces/default/${path}?dryRun=`);
      expect([answer.code, answer.body.message]).to.deep.equal([400, 'dryRun is not supported']);
    });
  }

  it('a collection cannot be patched, whatever is brought', async () => {
    const { code, body } = await admin.send('PATCH', maps, { body: {} });
    expect([code, body.message]).to.deep.equal([405, notAllowed]);
  });

  it('a patch that brings nothing is of no type that could be accepted', async () => {
    const { code, body } = await admin.send('PATCH', `${maps}/absent`);
    expect([code, body.message]).to.deep.equal([406, '406: Not Acceptable']);
  });

  it('metadata of a list are not those of an event, whatever its group is called', async () => {
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.orch.io';
    const { body } = await admin.get('/apis/events.orch.io/v1/events', { accept });
    expect(body.message).to.match(/\(\*core\.EventList\)$/);
  });

  const table = 'application/json;as=Table;v=v1;g=meta.orch.io';
  const withoutColumns: readonly (readonly [method: string, path: string, body: unknown])[] = [
    ['PUT', '/api/v1/nodes/absent/status', { apiVersion: 'v1', kind: 'Node' }],
    ['GET', '/apis/apps/v1/namespaces/default/deployments/absent/scale', undefined],
    ['POST', '/api/v1/namespaces/default/pods/absent/eviction', {}],
    ['POST', '/api/v1/namespaces/default/bindings', {}],
    ['POST', '/apis/authentication.orch.io/v1/tokenreviews', {}],
  ];
  for (const [method, path, body] of withoutColumns) {
    it(`${method} ${path} has no table`, async () => {
      const { code, body: status } = await admin.send(method, path, { body, headers: { accept: table } });
      expect(code).to.equal(406);
      expect(status.message).to.match(/^only the following media types are accepted: application\/json, /);
    });
  }

  const logs: readonly (readonly [method: string, path: string, accept: string | undefined, code: number])[] =
    [
      ['GET', '/logs', 'application/json', 406],
      ['GET', '/logs/x', 'text/html', 406],
      ['GET', '/logs/', 'application/json, */*;q=0.1', 404],
      ['GET', '/logs', undefined, 404],
      ['POST', '/logs', 'application/json', 405],
      ['GET', '/logsx', 'application/json', 404],
    ];
  for (const [method, path, accept, code] of logs) {
    it(`${method} ${path} for ${accept ?? 'anything'}: ${code}`, async () => {
      const headers = accept === undefined ? {} : { accept };
      expect((await admin.send(method, path, { headers })).code).to.equal(code);
    });
  }

  it('an answer that cannot be shown as asked for carries a warning where its API is deprecated', async () => {
    const path = '/apis/certificates.orch.io/v1beta1/certificatesigningrequests/absent/status';
    const ask = (accept: string) => admin.send('GET', path, { headers: { accept } });
    const unfit = await ask(table);
    expect(unfit.code).to.equal(406);
    expect(unfit.headers.warning).to.match(/is deprecated in v1\.19\+/);
    const unknown = await ask('text/html');
    expect(unknown.code).to.equal(406);
    expect(unknown.headers).not.to.have.property('warning');
  });

  it('a Status is no table, whatever was asked for', async () => {
    await admin.create(maps, configMap('gone'));
    const accept = 'application/vnd.orch.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.orch.io';
    const answer = await admin.send('DELETE', `${maps}/gone`, { headers: { accept } });
    expect([answer.code, answer.headers['content-type']]).to.deep.equal([
      200,
      'application/vnd.orch.protobuf',
    ]);
    expect(answer.text).to.contain('Success');
  });

  it('what has columns is shown as a table, whatever the method', async () => {
    const headers = { accept: table };
    const body = configMap('there');
    for (const [method, path] of [
      ['PUT', `${maps}/there?dryRun=All`],
      ['GET', '/api/v1/componentstatuses'],
    ] as const) {
      const answer = await admin.send(method, path, { body: method === 'PUT' ? body : undefined, headers });
      expect([answer.code, answer.body.kind], path).to.deep.equal([200, 'Table']);
    }
  });

  const patchTypes: readonly (readonly [contentType: string, code: number, message?: RegExp])[] = [
    ['application/merge-patch+json', 200],
    ['application/merge-patch+json; charset=utf-8', 200],
    ['application/merge-patch+json;x', 200],
    ['Application/Merge-Patch+JSON', 415, /^415: Unsupported Media Type$/],
    ['application/json', 415, /^415: Unsupported Media Type$/],
    [
      'application/json, application/merge-patch+json',
      415,
      /^the body of the request was in an unknown format/,
    ],
    [
      'application/merge-patch+json ; charset=utf-8',
      415,
      /: application\/json-patch\+json, application\/merge-/,
    ],
  ];
  for (const [contentType, code, message] of patchTypes) {
    it(`PATCH with ${contentType}: ${code}`, async () => {
      const answer = await admin.send('PATCH', `${maps}/there?dryRun=All`, { body: '{}', contentType });
      expect(answer.code).to.equal(code);
      if (message !== undefined) expect(answer.body.message).to.match(message);
    });
  }

  it('a body in no known format is told of before options that are none', async () => {
    for (const path of [maps, '/apis/authentication.orch.io/v1/tokenreviews']) {
      const request = { body: 'x', contentType: 'text/plain' };
      expect((await admin.send('POST', `${path}?dryRun=x`, request)).code, path).to.equal(415);
    }
  });

  it('a list as a merge patch has no kind', async () => {
    const contentType = 'application/merge-patch+json';
    const answer = await admin.send('PATCH', `${maps}/there`, { body: '[]', contentType });
    expect(answer.code).to.equal(422);
    expect(answer.body.message).to.match(
      /^ "" is invalid: patch: Invalid value: "\[\]": couldn't get version\/kind; json parse error: /,
    );
  });

  it('a configuration with a value that its kind cannot take is not converted', async () => {
    const path = inNamespace('default', 'limitranges');
    const limits = [{ type: 'Pod', max: { cpu: '1GI' } }];
    const body = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } };
    const contentType = 'application/apply-patch+yaml';
    const answer = await admin.send('PATCH', `${path}/l?fieldManager=m`, { body, contentType });
    expect(answer.code).to.equal(500);
    expect(answer.body.message).to.match(
      /^failed to convert new object to proper version: unable to convert unstructured object to \/v1, Kind=LimitRange: quantities must match/,
    );
  });

  it('a tried deletion of a collection is paged like a list', async () => {
    await admin.create(maps, configMap('there-too'));
    const { body } = await admin.send('DELETE', `${maps}?limit=1&dryRun=All`);
    expect(body.items).to.have.length(1);
    expect(body.metadata.continue).to.be.a('string');
    expect(body.metadata.remainingItemCount).to.be.above(0);
  });
});
