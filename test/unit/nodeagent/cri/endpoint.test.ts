import { expect } from 'chai';
import { describe, it } from 'mocha';
import { parseEndpoint } from '../../../../src/nodeagent/cri/endpoint.ts';

describe('parseEndpoint', () => {
  const good: Readonly<Record<string, string>> = {
    'unix:///run/containerd/containerd.sock': 'unix:/run/containerd/containerd.sock',
    'UNIX:///run/a.sock': 'unix:/run/a.sock',
    '/run/a.sock': 'unix:/run/a.sock',
    'tcp://127.0.0.1:3735': 'dns:127.0.0.1:3735',
    'tcp://[::1]:3735': 'dns:[::1]:3735',
    'tcp://runtime.example.test:3735/': 'dns:runtime.example.test:3735',
  };
  for (const [endpoint, target] of Object.entries(good)) {
    it(`takes ${endpoint}`, () => expect(parseEndpoint(endpoint)).to.equal(target));
  }

  const bad: Readonly<Record<string, RegExp>> = {
    '': /expected unix:\/\/\/PATH or tcp:\/\/HOST:PORT/,
    'run/a.sock': /expected unix/,
    'unix://': /expected unix/,
    'unix://run/a.sock': /expected unix/,
    'unix:///run/': /expected unix/,
    'unix:///a\0b': /expected unix/,
    [`unix:///${'a'.repeat(107)}`]: /path of 108 bytes, expected at most 107/,
    'tcp://127.0.0.1': /expected unix/,
    'tcp://127.0.0.1:0': /expected unix/,
    'tcp://:3735': /expected unix/,
    'tcp://user@127.0.0.1:3735': /expected unix/,
    'tcp://127.0.0.1:99999': /expected unix/,
    'tcp://127.0.0.1:3735/path': /expected unix/,
    'npipe:////./pipe/runtime': /protocol "npipe" not supported/,
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
