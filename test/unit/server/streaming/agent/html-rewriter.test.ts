import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import { HtmlRewriter } from '../../../../../src/server/streaming/agent/html-rewriter.ts';

const rewritten = async (parts: readonly (string | Buffer)[]): Promise<string> => {
  const rewriter = new HtmlRewriter((link) => (link.startsWith('/') ? `/proxy${link}` : link));
  return (await buffer(Readable.from(parts.map((part) => Buffer.from(part))).pipe(rewriter))).toString();
};

const pieces: readonly (readonly [string, string])[] = [
  ['<a href="/x?a=1&amp;b">', '<a href="/proxy/x?a=1&amp;b">'],
  ["<A\n class=x HREF = '/x'>", "<A\n class=x HREF = '/proxy/x'>"],
  ['<img src=/i.png alt="/x">', '<img src="/proxy/i.png" alt="/x">'],
  ['<link rel=stylesheet href=/a.css/>', '<link rel=stylesheet href="/proxy/a.css/">'],
  ['<form method=post action="/do">', '<form method=post action="/proxy/do">'],
  ['<a href="b">', '<a href="b">'],
  ['<p href="/x" title="a > b">', '<p href="/x" title="a > b">'],
  ["<p title=don't><a href='/x'>", "<p title=don't><a href='/proxy/x'>"],
  ['<!-- <a href="/x"> -->', '<!-- <a href="/x"> -->'],
  ['<!--><a href="/x"><!---><a href="/x">-->', '<!--><a href="/proxy/x"><!---><a href="/proxy/x">-->'],
  [
    '<!-- --!><a href="/x"><!-- - -- > <a href="/x">-->',
    '<!-- --!><a href="/proxy/x"><!-- - -- > <a href="/x">-->',
  ],
  [
    '<script src="/s.js">if (a < b) "<a href=\'/x\'>"</script>',
    '<script src="/proxy/s.js">if (a < b) "<a href=\'/x\'>"</script>',
  ],
  ['<style>a{}</STYLE>', '<style>a{}</STYLE>'],
  ['a < b, 1 <2 </p> <!doctype html> <?x?>', 'a < b, 1 <2 </p> <!doctype html> <?x?>'],
  ['grüße → 🙂', 'grüße → 🙂'],
];

describe('HtmlRewriter', () => {
  for (const [page, expected] of pieces) {
    it(`makes ${page} ${page === expected ? 'nothing else' : expected}`, async () => {
      expect(await rewritten([page])).to.equal(expected);
    });
  }

  it('makes the same of a page, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...pieces), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        async (chosen, sizes) => {
          const page = Buffer.from(chosen.map(([text]) => text).join('\n'));
          const parts: Buffer[] = [];
          for (let at = 0, index = 0; at < page.length; index++) {
            const size = sizes[index % sizes.length] ?? 1;
            parts.push(page.subarray(at, at + size));
            at += size;
          }
          expect(await rewritten(parts)).to.equal(chosen.map(([, text]) => text).join('\n'));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('passes on what has no end, as it is', async () => {
    for (const start of ['<a href="', '<!--', '<script>', '<a']) {
      const page = start + '/x '.repeat(100_000);
      expect((await rewritten([page.slice(0, 5), page.slice(5)])) === page, start).to.equal(true);
      const cut = `${start}/x`;
      expect(await rewritten([cut])).to.equal(cut);
    }
  });
});
