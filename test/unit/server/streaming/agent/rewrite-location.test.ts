import { expect } from 'chai';
import { rewriteLink } from '../../../../../src/server/streaming/agent/rewrite-location.ts';

const site = { prefix: '/api/v1/nodes/n/proxy', authority: '10.0.0.1:8080', requestHost: 'api.example:6443' };

describe('rewriteLink', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['/', '/api/v1/nodes/n/proxy/'],
    ['/a/b?c=d#e', '/api/v1/nodes/n/proxy/a/b?c=d#e'],
    ['/a/', '/api/v1/nodes/n/proxy/a/'],
    ['http://10.0.0.1:8080/a', '/api/v1/nodes/n/proxy/a'],
    ['https://api.example:6443/a', 'https://api.example:6443/api/v1/nodes/n/proxy/a'],
    ['//10.0.0.1:8080/a', '/api/v1/nodes/n/proxy/a'],
    ['/api/v1/nodes/n/proxy/a', '/api/v1/nodes/n/proxy/a'],
    ['/api/v1/nodes/n/proxyish', '/api/v1/nodes/n/proxy/api/v1/nodes/n/proxyish'],
    ['a/b', 'a/b'],
    ['../a', '../a'],
    ['?x', '?x'],
    ['', ''],
    ['https://elsewhere/a', 'https://elsewhere/a'],
    ['http://10.0.0.1:81/a', 'http://10.0.0.1:81/a'],
    ['mailto:a@b', 'mailto:a@b'],
  ];
  for (const [link, rewritten] of cases) {
    it(`makes ${JSON.stringify(link)} ${JSON.stringify(rewritten)}`, () => {
      expect(rewriteLink(link, site)).to.equal(rewritten);
    });
  }
});
