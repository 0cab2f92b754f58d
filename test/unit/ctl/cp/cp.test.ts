import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Extractor } from '../../../../src/ctl/cp/extract.ts';
import { parseFileSpec } from '../../../../src/ctl/cp/file-spec.ts';
import type { TarHeader } from '../../../../src/ctl/tar/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('parseFileSpec', () => {
  const good: readonly (readonly [string, object])[] = [
    ['a/b', { pod: '', namespace: '', file: 'a/b' }],
    ['web:/x', { pod: 'web', namespace: '', file: '/x' }],
    ['ns/web:x:y', { pod: 'web', namespace: 'ns', file: 'x:y' }],
    ['web:', { pod: 'web', namespace: '', file: '' }],
  ];
  for (const [text, expected] of good) {
    it(`reads ${text}`, () => expect(parseFileSpec(text)).to.deep.equal(expected));
  }
  for (const text of [':x', 'a/b/c:x']) {
    it(`refuses ${text}`, () => {
      expect(() => parseFileSpec(text)).to.throw(
        'filespec must match the canonical format: [[namespace/]pod:]file/path',
      );
    });
  }
});

describe('Extractor', () => {
  let folder: TemporaryDirectory;
  let warnings: string;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    warnings = '';
  });
  afterEach(() => folder.remove());

  function extract(
    { source, destination = 'out' }: { readonly source: string; readonly destination?: string },
    ...entries: readonly (Partial<TarHeader> & { readonly name: string; readonly content?: string })[]
  ): void {
    const output = {
      isTerminal: false,
      write(content: string | Uint8Array) {
        warnings += String(content);
      },
    };
    const extractor = new Extractor({
      source,
      destination: join(folder.path, destination),
      warnings: output,
    });
    const plain = {
      mode: 0o644,
      uid: 0,
      gid: 0,
      sizeBytes: 0,
      modifiedAtSeconds: 0,
      type: '0',
      linkName: '',
    };
    for (const { content = '', ...header } of entries) {
      extractor.onEntry({ ...plain, ...header });
      extractor.onContent(Buffer.from(content));
      extractor.onEntryEnd();
    }
  }
  const read = (...path: string[]): string => readFileSync(join(folder.path, ...path), 'utf8');

  it('writes a file under the name that is asked for', () => {
    extract({ source: '/etc/hosts' }, { name: 'etc/hosts', content: 'here' });
    expect(read('out')).to.equal('here');
  });

  it('writes a file into a folder that is there', async () => {
    await mkdir(join(folder.path, 'out'));
    extract({ source: '/etc/hosts' }, { name: 'etc/hosts', content: 'here' });
    expect(read('out', 'hosts')).to.equal('here');
  });

  it('writes a tree', async () => {
    extract(
      { source: './srv/www/' },
      { name: './srv/www/', type: '5' },
      { name: './srv/www/a', content: '1' },
      { name: './srv/www/deep/b', content: '2' },
      { name: './srv/www/empty/', type: '5' },
    );
    expect([read('out', 'a'), read('out', 'deep', 'b')]).to.deep.equal(['1', '2']);
    expect(await readdir(join(folder.path, 'out', 'empty'))).to.deep.equal([]);
  });

  it('makes no links', () => {
    extract({ source: 'd' }, { name: 'd/link', type: '2', linkName: '/etc/passwd' });
    expect(existsSync(join(folder.path, 'out', 'link'))).to.equal(false);
    expect(warnings).to.match(/^warning: skipping symlink: ".*\/out\/link" -> "\/etc\/passwd"\n$/);
  });

  it('writes nothing outside', async () => {
    extract(
      { source: 'd' },
      { name: 'd/../../escaped', content: 'x' },
      { name: 'd/../beside', content: 'x' },
    );
    expect(await readdir(folder.path)).to.deep.equal([]);
    expect(warnings.match(/is outside target destination, skipping/g)).to.have.length(2);
  });

  it('refuses what was not asked for', () => {
    for (const name of ['other', 'dd', '/d/x']) {
      expect(() => extract({ source: 'd' }, { name }), name).to.throw('tar contents corrupted');
    }
  });
});
