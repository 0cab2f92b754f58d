import { mkdir, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect } from 'chai';
import { sendStaticFile } from '../../../../src/ctl/proxy/static-files.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

/** Keeps what is sent. */
class Recorded extends Writable {
  code = 0;
  headers: Readonly<Record<string, string | number>> = {};
  text = '';

  writeHead(code: number, headers: Readonly<Record<string, string | number>>): this {
    this.code = code;
    this.headers = headers;
    return this;
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.text += bytes.toString('utf8');
    done();
  }
}

describe('sendStaticFile', () => {
  const awkward = ['a b.txt', 'a#b.txt', 'a?b.txt', 'a%20b.txt', 'a&copy.txt', '<i>"x".txt', 'ü.txt', 'x:y'];
  let temporary: TemporaryDirectory;
  let site: string;

  before(async () => {
    temporary = await makeTemporaryDirectory();
    site = join(temporary.path, 'site');
    for (const folder of ['', 'page', 'list', 'list/in', 'names', 'a b?', 'site-2']) {
      await mkdir(join(temporary.path, folder === 'site-2' ? folder : `site/${folder}`), { recursive: true });
    }
    const files = {
      ...{ 'site/one.txt': 'hi\n', 'site/empty': '', 'site/STYLE.CSS': 'a{}', 'site/page/index.html': '<p>' },
      ...{ 'site/list/b.txt': 'b', 'site/list/a.txt': 'a', 'secret.txt': 'secret', 'site-2/x.txt': 'secret' },
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(temporary.path, name), text);
    for (const name of awkward) await writeFile(join(site, 'names', name), name);
    await symlink('one.txt', join(site, 'inside'));
    await symlink('../secret.txt', join(site, 'outside'));
    await symlink('..', join(site, 'above'));
    await symlink('loop', join(site, 'loop'));
  });
  after(() => temporary.remove());

  async function get(path: string) {
    const response = new Recorded();
    const end = finished(response);
    // What a response is used for here.
    await sendStaticFile(response as unknown as ServerResponse, site, path);
    await end;
    const { code, headers, text } = response;
    return { code, headers, text };
  }

  const files: readonly [path: string, type: string, text: string][] = [
    ['one.txt', 'text/plain; charset=utf-8', 'hi\n'],
    ['/one.txt', 'text/plain; charset=utf-8', 'hi\n'],
    ['list/../one.txt', 'text/plain; charset=utf-8', 'hi\n'],
    ['STYLE.CSS', 'text/css; charset=utf-8', 'a{}'],
    ['empty', 'application/octet-stream', ''],
    ['inside', 'text/plain; charset=utf-8', 'hi\n'],
    ['page/', 'text/html; charset=utf-8', '<p>'],
    ['names/a#b.txt', 'text/plain; charset=utf-8', 'a#b.txt'],
    ['names/a%20b.txt', 'text/plain; charset=utf-8', 'a%20b.txt'],
  ];
  for (const [path, type, text] of files) {
    it(`sends the file at ${path}`, async () => {
      const answer = await get(path);
      expect(answer).to.deep.include({ code: 200, text });
      expect(answer.headers).to.include({ 'content-type': type, 'content-length': Buffer.byteLength(text) });
      expect(answer.headers).to.include({ 'x-content-type-options': 'nosniff' });
    });
  }

  const nowhere = [
    ...['nope', 'one.txt/x', 'outside', 'above', 'above/secret.txt', 'loop', '..', '../secret.txt'],
    ...['%2e%2e/secret.txt', '..%2Fsecret.txt', '../site-2/x.txt', 'one.txt\0', '%', 'x'.repeat(5000)],
    ...['/../secret.txt', '....//secret.txt', '..\\secret.txt'],
  ];
  for (const path of nowhere) {
    it(`finds nothing at ${path.slice(0, 40)}`, async () => {
      expect(await get(path)).to.deep.include({ code: 404, text: '404 page not found\n' });
    });
  }

  it('lists a folder without a page of its own, folders with a slash', async () => {
    const links = ['a.txt', 'b.txt', 'in/'].map((name) => `<a href="${name}">${name}</a>\n`).join('');
    const { code, headers, text } = await get('list/');
    expect(code).to.equal(200);
    expect(headers).to.include({ 'content-type': 'text/html; charset=utf-8' });
    expect(text).to.equal(`<pre>\n${links}</pre>\n`);
  });

  it('lists names so that each link leads to its file, whatever characters it has', async () => {
    const { text } = await get('names/');
    const links = [...text.matchAll(/<a href="([^"]*)">/g)].map(([, link = '']) =>
      link.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)),
    );
    const base = 'http://localhost/static/names/';
    const found = await Promise.all(
      links.map(async (link) => {
        const { origin, pathname } = new URL(link, base);
        expect(origin, link).to.equal('http://localhost');
        return (await get(decodeURIComponent(pathname.slice('/static/'.length)))).text;
      }),
    );
    expect(found).to.have.members(awkward);
  });

  it('shows names as text', async () => {
    expect((await get('names/')).text)
      .to.contain('&lt;i&gt;&#34;x&#34;.txt</a>')
      .and.not.contain('<i>');
  });

  it('leads to the folder with a slash at the end, as links there are meant', async () => {
    for (const [path, location] of [
      ['list', './list/'],
      ['list/in', './in/'],
      ['page', './page/'],
      ['a b?', './a%20b%3F/'],
    ] as const) {
      const { code, headers } = await get(path);
      expect({ code, location: headers.location }, path).to.deep.equal({ code: 301, location });
    }
    expect((await get('')).code).to.equal(200);
    expect((await get('/')).code).to.equal(200);
  });
});
