import { expect } from 'chai';
import { proxyPath } from '../../../../../src/server/streaming/agent/index.ts';

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
