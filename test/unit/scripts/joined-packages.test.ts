import { join } from 'node:path';
import { expect } from 'chai';
import { isExternal, licensesOf } from '../../../scripts/joined-packages.ts';

const packages = join(import.meta.dirname, '../../../node_modules');

describe('isExternal', () => {
  const source = '/orch/src/a.ts';
  for (const [id, importer, isOutside] of [
    ['node:fs', source, true],
    ['crypto', join(packages, 'tsyringe/a.js'), true],
    ['node:http', source, false],
    ['better-sqlite3', source, true],
    ['./b.ts', source, false],
    ['@peculiar/x509', source, false],
    ['tsyringe', source, true],
    ['tsyringe', join(packages, '@peculiar/x509/build/x509.es.js'), false],
  ] as const) {
    it(`leaves ${id} ${isOutside ? 'where it is' : 'to the bundle'} for ${importer.replace(packages, '')}`, () => {
      expect(isExternal(id, importer, false)).to.equal(isOutside);
    });
  }

  it('is not asked again about what the bundler has found', () => {
    expect(isExternal('plain:http', source, true)).to.equal(false);
  });
});

describe('licensesOf', () => {
  it('tells the license of each package once, whatever its depth and the name of the file', () => {
    const text = licensesOf([
      '/orch/src/a.ts',
      'plain:http',
      join(packages, 'tslib/tslib.es6.mjs'),
      join(packages, '@peculiar/x509/build/x509.es.js'),
      join(packages, '@peculiar/x509/build/other.js'),
    ]);
    const headings = text.split('\n').filter((line) => /^\S+ \d+\.\d+\.\d+$/.test(line));
    expect(headings.map((line) => line.split(' ')[0])).to.deep.equal(['@peculiar/x509', 'tslib']);
    expect(text).to.include('Copyright (c) Peculiar Ventures').and.to.include('Copyright (c) Microsoft');
  });

  it('refuses a package without one', () => {
    expect(() => licensesOf([join(packages, '.bin-nobody/index.js')])).to.throw(
      /bundle: .*\/node_modules\/\.bin-nobody has no license to go with its code$/,
    );
  });
});
