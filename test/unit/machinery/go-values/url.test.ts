import { expect } from 'chai';
import { parseUrl, UrlError } from '../../../../src/machinery/go-values/index.ts';

const none = { scheme: '', host: '', user: undefined, query: '', fragment: '' };

describe('parseUrl', () => {
  const read: readonly (readonly [text: string, parts: object])[] = [
    ['', none],
    ['*', none],
    ['/a:b', none],
    ['a/b:c', none],
    ['///a', none],
    ['HTTPS://A.b/c', { ...none, scheme: 'https', host: 'A.b' }],
    ['https:///a', { ...none, scheme: 'https' }],
    ['https:a', { ...none, scheme: 'https' }],
    ['//a', { ...none, host: 'a' }],
    ['a+b-1.0://c', { ...none, scheme: 'a+b-1.0', host: 'c' }],
    ['a://b:1:2', { ...none, scheme: 'a', host: 'b:1:2' }],
    ['a://:', { ...none, scheme: 'a', host: ':' }],
    ['a://[::1%25x]:80/p', { ...none, scheme: 'a', host: '[::1%25x]:80' }],
    ['a://%C3%A9é', { ...none, scheme: 'a', host: '%C3%A9é' }],
    ['a://u:p@x@b', { ...none, scheme: 'a', host: 'b', user: 'u:p@x' }],
    ['a://@b', { ...none, scheme: 'a', host: 'b', user: '' }],
    ['a://b/c d?%zz#e?f#g', { ...none, scheme: 'a', host: 'b', query: '%zz', fragment: 'e?f#g' }],
  ];
  for (const [text, parts] of read) {
    it(`reads ${JSON.stringify(text)}`, () => expect(parseUrl(text)).to.deep.equal(parts));
  }

  const refused: readonly (readonly [text: string, problem: string])[] = [
    [':a', 'missing protocol scheme'],
    ['1a:b', 'first path segment in URL cannot contain colon'],
    ['a b:c/d', 'first path segment in URL cannot contain colon'],
    ['a://b\n', 'net/url: invalid control character in URL'],
    ['a://[::1', "missing ']' in host"],
    ['a://[::1]x', 'invalid port "x" after host'],
    ['a://b:c', 'invalid port ":c" after host'],
    ['a://b c', 'invalid character " " in host name'],
    ['a://b%41', 'invalid URL escape "%41"'],
    ['a://u[@b', 'net/url: invalid userinfo'],
    ['a://u%2@b', 'invalid URL escape "%2"'],
    ['a://b/%', 'invalid URL escape "%"'],
  ];
  for (const [text, problem] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () =>
      expect(() => parseUrl(text)).to.throw(UrlError, `parse ${JSON.stringify(text)}: ${problem}`));
  }

  it('tells of a wrong fragment with the whole text, and of all else without it', () => {
    expect(() => parseUrl('a://b#%zz')).to.throw('parse "a://b#%zz": invalid URL escape "%zz"');
    expect(() => parseUrl('a://b c#d')).to.throw('parse "a://b c": invalid character');
  });
});
