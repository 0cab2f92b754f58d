import { expect } from 'chai';
import { describe, it } from 'mocha';
import { parseEndpoint } from '../../../../src/nodeagent/cri/endpoint.ts';

describe('parseEndpoint', () => {
  const good: Readonly<Record<string, string>> = {
    'unix:///run/containerd/containerd.sock': 'unix:/run/containerd/containerd.sock',
    'UNIX:///run/a.sock': 'unix:/run/a.sock',
    'unix:/run/a.sock': 'unix:/run/a.sock',
    '/run/a.sock': 'unix:/run/a.sock',
  };
  for (const [endpoint, target] of Object.entries(good)) {
    it(`takes ${endpoint}`, () => expect(parseEndpoint(endpoint)).to.equal(target));
  }

  const bad: Readonly<Record<string, RegExp>> = {
    '': /expected unix:\/\/\/PATH/,
    'run/a.sock': /expected unix/,
    'unix://': /expected unix/,
    'unix://run/a.sock': /expected unix/,
    'unix:///run/': /expected unix/,
    'unix:///a\0b': /expected unix/,
    [`unix:///${'a'.repeat(107)}`]: /path of 108 bytes, expected at most 107/,
    'npipe:////./pipe/runtime': /protocol "npipe" not supported/,
    'tcp://127.0.0.1:3735': /protocol "tcp" not supported/,
    'http://127.0.0.1:3735': /protocol "http" not supported/,
  };
  for (const [endpoint, message] of Object.entries(bad)) {
    it(`refuses ${JSON.stringify(endpoint.slice(0, 40))}`, () =>
      expect(() => parseEndpoint(endpoint)).to.throw(RangeError, message));
  }

  it('takes the longest path of a socket', () => {
    const path = `/${'a'.repeat(106)}`;
    expect(parseEndpoint(`unix://${path}`)).to.equal(`unix:${path}`);
  });
});
