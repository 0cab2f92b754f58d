import { expect } from 'chai';
import { changedProxyPath, proxyPath } from '../../../../../src/server/streaming/agent/index.ts';

describe('proxyPath', () => {
  const at = '/api/v1/nodes/n/proxy';
  const cases: readonly (readonly [string, number, string, string, string])[] = [
    [at, 0, at, '', ''],
    [`${at}?a=/b/`, 0, at, '', '?a=/b/'],
    [`${at}/`, 0, at, '/', ''],
    [`${at}/a`, 1, at, '/a', ''],
    [`${at}/a/`, 1, at, '/a/', ''],
    [`${at}/a%2Fb/%20?x=%20`, 3, at, '/a/b/%20', '?x=%20'],
    [`${at}%2fa`, 1, at, '/a', ''],
    [`${at}//a`, 2, at, '/a', ''],
    [`${at}/../../../..//etc/./passwd`, 8, at, '/etc/passwd', ''],
  ];
  for (const [target, restLength, prefix, path, query] of cases) {
    it(`takes ${target} apart`, () => {
      expect(proxyPath(target, restLength)).to.deep.equal({ prefix, path, query });
    });
  }
});

describe('changedProxyPath', () => {
  const site = '/api/v1/nodes/n/proxy';
  const cases: readonly (readonly [string, string, string, string])[] = [
    [`${site}/a`, '/b c?/d', `${site}/a`, '/b%20c%3F/d'],
    [`${site}/a`, 'b/../../c/', `${site}/a`, '/c/'],
    [`${site}/a/`, '/b', `${site}/a/`, '/b/'],
    [`${site}/a/b`, '/b', `${site}/a`, '/b'],
    [`${site}/a`, '', `${site}/a`, ''],
    [`${site}/a/`, '', `${site}/a`, '/'],
  ];
  for (const [requestPath, given, prefix, path] of cases) {
    it(`sends ${requestPath} to ${given || 'nowhere'}`, () => {
      const query = '?x=1';
      const named = { prefix: site, path: '/a', query };
      expect(changedProxyPath(named, requestPath, given)).to.deep.equal({ prefix, path, query });
    });
  }
});
