import { expect } from 'chai';
import fc from 'fast-check';
import {
  escapeHtml,
  escapePath,
  escapeQuery,
  relativeUrl,
} from '../../../../src/machinery/go-values/index.ts';
import { anyCharacter } from '../../../support/any-character.ts';

describe('escapeHtml', () => {
  const rows: readonly (readonly [text: string, escaped: string])[] = [
    ['', ''],
    ['plain text', 'plain text'],
    ['<a href="x">\'&\'</a>', '&lt;a href=&#34;x&#34;&gt;&#39;&amp;&#39;&lt;/a&gt;'],
    ['&amp;', '&amp;amp;'],
    ['a\0b', 'a\uFFFDb'],
    ['é 日本 😀', 'é 日本 😀'],
    ['`/=\n\t', '`/=\n\t'],
  ];
  for (const [text, escaped] of rows) {
    it(`${JSON.stringify(text)} becomes ${JSON.stringify(escaped)}`, () =>
      expect(escapeHtml(text)).to.equal(escaped));
  }

  it('leaves nothing that could open a tag, an entity or end an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const left = escapeHtml(text).replace(/&(?:#34|#39|amp|lt|gt);/g, '');
        expect(left).not.to.match(/["'&<>\0]/);
      }),
    );
  });
});

describe('escapeQuery', () => {
  const rows: readonly (readonly [text: string, escaped: string])[] = [
    ['', ''],
    ['azAZ09-_.~', 'azAZ09-_.~'],
    ['a b', 'a+b'],
    ['a+b', 'a%2Bb'],
    ["!'()*", '%21%27%28%29%2A'],
    ['/?&=#%;:@$,', '%2F%3F%26%3D%23%25%3B%3A%40%24%2C'],
    ['"<>\\^`{|}', '%22%3C%3E%5C%5E%60%7B%7C%7D'],
    ['\n\0', '%0A%00'],
    ['%20', '%2520'],
    ['é😀', '%C3%A9%F0%9F%98%80'],
    // Half a character in JSON reads as U+FFFD in the release.
    ['a\ud83d', 'a%EF%BF%BD'],
    ['\ude00b', '%EF%BF%BDb'],
  ];
  for (const [text, escaped] of rows) {
    it(`${JSON.stringify(text)} becomes ${escaped}`, () => expect(escapeQuery(text)).to.equal(escaped));
  }

  it('reads back from the query of a URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const url = new URL(`http://h/?q=${escapeQuery(text)}&r=1`);
        expect(url.searchParams.get('q')).to.equal(text);
        expect(url.hash).to.equal('');
      }),
    );
  });
});

describe('escapePath', () => {
  const rows: readonly (readonly [path: string, escaped: string])[] = [
    ['', ''],
    ['/azAZ09-_.~', '/azAZ09-_.~'],
    ['/a b', '/a%20b'],
    ['$&+,/:;=@', '$&+,/:;=@'],
    ["!'()*[]", '%21%27%28%29%2A%5B%5D'],
    ['?#%', '%3F%23%25'],
    ['é😀', '%C3%A9%F0%9F%98%80'],
    ['\ud83d', '%EF%BF%BD'],
  ];
  for (const [path, escaped] of rows) {
    it(`${JSON.stringify(path)} becomes ${escaped}`, () => expect(escapePath(path)).to.equal(escaped));
  }
});

describe('relativeUrl', () => {
  it('leads to the path from the page it stands on, whatever its name looks like', () => {
    const name = fc
      .string({ unit: anyCharacter, minLength: 1 })
      .filter((text) => !/[/]|^[.]{1,2}$/.test(text));
    fc.assert(
      fc.property(name, (text) => {
        const url = new URL(relativeUrl(text), 'http://h/folder/');
        expect(url.host + decodeURIComponent(url.pathname)).to.equal(`h/folder/${text}`);
        expect(url.search + url.hash).to.equal('');
      }),
    );
  });
});
