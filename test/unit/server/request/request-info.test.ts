import { expect } from 'chai';
import { isTrue } from '../../../../src/server/request/request-info.ts';
import { makeExchange } from '../../../support/exchange.ts';

const infoOf = (method: string, url: string) => makeExchange({ method, url }).info;

describe('parseRequestInfo', () => {
  /** verb, group/version, namespace, resource, subresource, name; `rest` after a colon. */
  const resources: [request: string, expected: string][] = [
    ['GET /api/v1/pods', 'list /v1 "" pods "" ""'],
    ['GET /api/v1/pods/', 'list /v1 "" pods "" ""'],
    ['HEAD /api/v1/pods', 'list /v1 "" pods "" ""'],
    ['GET /api/v1/namespaces', 'list /v1 "" namespaces "" ""'],
    ['GET /api/v1/namespaces/n', 'get /v1 "n" namespaces "" "n"'],
    ['PUT /api/v1/namespaces/n/status', 'update /v1 "n" namespaces "status" "n"'],
    ['PUT /api/v1/namespaces/n/finalize', 'update /v1 "n" namespaces "finalize" "n"'],
    ['GET /api/v1/namespaces/n/pods', 'list /v1 "n" pods "" ""'],
    ['POST /api/v1/namespaces/n/pods', 'create /v1 "n" pods "" ""'],
    ['GET /api/v1/namespaces/n/pods/p', 'get /v1 "n" pods "" "p"'],
    ['PATCH /api/v1/namespaces/n/pods/p', 'patch /v1 "n" pods "" "p"'],
    ['DELETE /api/v1/namespaces/n/pods/p', 'delete /v1 "n" pods "" "p"'],
    ['DELETE /api/v1/namespaces/n/pods', 'deletecollection /v1 "n" pods "" ""'],
    ['GET /api/v1/namespaces/n/pods/p/log', 'get /v1 "n" pods "log" "p"'],
    ['POST /api/v1/namespaces/n/pods/p/binding', 'create /v1 "n" pods "binding" "p"'],
    ['GET /api/v1/namespaces/n/pods/p/proxy/a/b', 'get /v1 "n" pods "proxy" "p" a,b'],
    ['GET /apis/apps/v1/deployments', 'list apps/v1 "" deployments "" ""'],
    ['GET /apis/apps/v1/namespaces/n/deployments/d', 'get apps/v1 "n" deployments "" "d"'],
    ['GET /apis/a.b/v1beta1/nodes/x/status', 'get a.b/v1beta1 "" nodes "status" "x"'],
    ['GET /api/v1/pods?watch=1', 'watch /v1 "" pods "" ""'],
    ['GET /api/v1/pods?watch', 'watch /v1 "" pods "" ""'],
    ['GET /api/v1/pods?watch=true', 'watch /v1 "" pods "" ""'],
    ['GET /api/v1/pods?watch=false', 'list /v1 "" pods "" ""'],
    ['GET /api/v1/pods?watch=0', 'list /v1 "" pods "" ""'],
    ['GET /api/v1/namespaces/n/pods/p?watch=1', 'get /v1 "n" pods "" "p"'],
    ['POST /api/v1/namespaces/n/pods?watch=1', 'create /v1 "n" pods "" ""'],
    ['GET /api/v1/watch/pods', 'watch /v1 "" pods "" ""'],
    ['GET /api/v1/watch/namespaces/n/pods', 'watch /v1 "n" pods "" ""'],
    ['GET /api/v1/watch/namespaces/n/pods/p', 'watch /v1 "n" pods "" "p"'],
    ['POST /api/v1/watch/pods', 'watch /v1 "" pods "" ""'],
    ['GET /api/v1/proxy/x', 'proxy /v1 "" x "" ""'],
    ['GET /api/v1/proxy/namespaces/n/pods/p/log', 'proxy /v1 "n" pods "" "p"'],
    ['GET /api/v1/namespaces/n%2Fpods/p', 'get /v1 "n" pods "" "p"'],
    ['GET /api/v1/namespaces/n/pods/a%2Flog', 'get /v1 "n" pods "log" "a"'],
    ['OPTIONS /api/v1/pods', ' /v1 "" pods "" ""'],
    ['GET /api/v1//pods', 'get /v1 ""  "" "pods"'],
  ];
  for (const [request, expected] of resources) {
    it(`reads ${request}`, () => {
      const [method = '', url = ''] = request.split(' ');
      const { isResource, verb, group, version, namespace, resource, subresource, name, rest } = infoOf(
        method,
        url,
      );
      expect(isResource).to.equal(true);
      const parts = [
        verb,
        `${group}/${version}`,
        `"${namespace}"`,
        resource,
        `"${subresource}"`,
        `"${name}"`,
      ];
      if (rest.length > 0) parts.push(rest.join(','));
      expect(parts.join(' ')).to.equal(expected);
    });
  }

  it('says what is wrong with a path that names no resource', () => {
    expect(infoOf('PUT', '/api/v1/watch').fault).to.equal('unable to determine kind and namespace from url');
    expect(infoOf('GET', '/api/v1').fault).to.equal(undefined);
  });

  const others: [request: string, verb: string][] = [
    ['GET /', 'get'],
    ['GET /api', 'get'],
    ['GET /api/v1', 'get'],
    ['GET /apis', 'get'],
    ['GET /apis/apps', 'get'],
    ['GET /apis/apps/v1', 'get'],
    ['GET /healthz', 'get'],
    ['POST /version', 'post'],
    ['DELETE /metrics', 'delete'],
    ['PROPFIND /x', 'propfind'],
    ['GET /apix/v1/pods', 'get'],
  ];
  for (const [request, verb] of others) {
    it(`takes ${request} for no resource`, () => {
      const [method = '', url = ''] = request.split(' ');
      const info = infoOf(method, url);
      expect(info).to.include({ isResource: false, verb, group: '', version: '', resource: '', name: '' });
      expect(info.path).to.equal(url);
    });
  }
});

describe('isTrue', () => {
  const cases: [value: string | null, expected: boolean][] = [
    [null, false],
    ['', true],
    ['1', true],
    ['true', true],
    ['yes', true],
    ['0', false],
    ['false', false],
    ['FALSE', false],
  ];
  for (const [value, expected] of cases) {
    it(`takes ${JSON.stringify(value)} for ${expected}`, () => {
      expect(isTrue(value)).to.equal(expected);
    });
  }
});
