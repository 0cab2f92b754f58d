import { expect } from 'chai';
import type { Representation } from '../../../../src/server/request/negotiate.ts';
import { prettyJson, wantsPretty } from '../../../../src/server/request/pretty-json.ts';
import { makeExchange } from '../../../support/exchange.ts';

describe('prettyJson', () => {
  const cases: [name: string, value: unknown, text: string][] = [
    ['a text', 'a"{}', '"a\\"{}"'],
    ['nothing', null, 'null'],
    ['an empty list', { a: [] }, '{\n  "a": []\n}'],
    ['an empty object', { a: {} }, '{\n  "a": {\n    \n  }\n}'],
    ['only what is there', { a: undefined, b: 1 }, '{\n  "b": 1\n}'],
    ['an object of nothing that is there', { a: undefined }, '{\n  \n}'],
    [
      'lists and objects in one another',
      { a: [1, { b: 'c' }], d: true },
      '{\n  "a": [\n    1,\n    {\n      "b": "c"\n    }\n  ],\n  "d": true\n}',
    ],
    [
      'sets of fields in one line',
      { fieldsV1: { 'f:a': { '.': {} } } },
      '{\n  "fieldsV1": {"f:a":{".":{}}}\n}',
    ],
  ];
  for (const [name, value, text] of cases) {
    it(`writes ${name}`, () => {
      expect(prettyJson(value)).to.equal(text);
    });
  }

  it('begins in the middle of something', () => {
    expect(prettyJson({ a: 1 }, 2)).to.equal('{\n      "a": 1\n    }');
  });
});

describe('wantsPretty', () => {
  const json: Representation = {
    encoding: 'json',
    contentType: 'application/json',
    asVersion: '',
    isPretty: false,
  };
  const cases: [agent: string, query: string, expected: boolean][] = [
    ['curl/7.0', '', true],
    ['Wget/1.2', '', true],
    ['Mozilla/5.0 (X11)', '', true],
    ['ctl/v1', '', false],
    ['a curl', '', false],
    ['', '?pretty=true', true],
    ['', '?pretty=1', true],
    ['', '?pretty', false],
    ['', '?pretty=yes', false],
    ['curl/7.0', '?pretty=false', false],
    ['curl/7.0', '?pretty=&watch=0', true],
  ];
  for (const [agent, query, expected] of cases) {
    it(`is ${expected} for ${JSON.stringify(agent)} and ${JSON.stringify(query)}`, () => {
      const exchange = makeExchange({ url: `/api${query}`, headers: { 'user-agent': agent } });
      expect(wantsPretty(exchange, json)).to.equal(expected);
    });
  }

  it('is what the media type says, and never of other encodings', () => {
    const exchange = makeExchange({ url: '/api?pretty=0' });
    expect(wantsPretty(exchange, { ...json, isPretty: true })).to.equal(true);
    const curl = makeExchange({ headers: { 'user-agent': 'curl/7.0' } });
    expect(wantsPretty(curl, { ...json, encoding: 'yaml' })).to.equal(false);
    expect(wantsPretty(curl, { ...json, encoding: 'protobuf' })).to.equal(false);
  });
});
