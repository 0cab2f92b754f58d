import { globSync } from 'node:fs';
import { expect } from 'chai';
import { importsOf, root, sourceFiles } from './source-files.ts';

/**
 * A reader follows an idea from file to file: a file that only one other imports costs a jump and gives nothing back, unless
 * it is an idea of its own that reads better apart, or that a test needs apart. So such files are the smaller part. Tests,
 * benchmarks and scripts count as importers, and so does an `index.ts`.
 */
describe('files with a single importer', () => {
  const maxShare = 1 / 3;

  it('are at most a third of all', () => {
    const others = globSync('{test,bench,scripts}/**/*.ts', { cwd: root });
    const imports = importsOf([...sourceFiles(), ...others]);
    const importers = Map.groupBy(imports, ({ to }) => to);
    const files = sourceFiles().filter((file) => file.startsWith('src/'));
    const single = files.filter((file) => new Set(importers.get(file)?.map(({ from }) => from)).size === 1);
    expect(single.length / files.length).to.be.at.most(maxShare);
  });
});
