import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, textOf } from './source-files.ts';

describe('docs/architecture.md', () => {
  it('says of what is written by hand where it is', () => {
    const [, section = ''] = textOf('docs/architecture.md').split('## What is written by hand\n');
    const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
    const paths = rows.slice(1).flatMap((row) => Array.from(row.split('|')[2]?.matchAll(/`([^`]+)`/g) ?? []));
    expect(paths).to.not.be.empty;
    expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, 'src', path)))).to.be
      .empty;
  });
});
