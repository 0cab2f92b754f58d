import { dirname, relative } from 'node:path';
import { expect } from 'chai';
import { type Import, projectImports, sourceFiles, textOf } from './source-files.ts';

const isIndex = (file: string): boolean => file.endsWith('/index.ts');

const importersOf = (imports: readonly Import[]): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    [...Map.groupBy(imports, ({ to }) => to)].map(([to, found]) => [
      to,
      new Set(found.map(({ from }) => from)),
    ]),
  );

/** Whether an `index.ts` only hands a file on to others: one that has a table of its own uses what it imports. */
function handsOn(index: string, file: string): boolean {
  const path = `./${relative(dirname(index), file)}`;
  return textOf(index)
    .split(';\n')
    .some((statement) => /(?:^|\n)export\s[^;]*$/.test(statement) && statement.endsWith(`from '${path}'`));
}

/** The files that use a file: those that import it, or an `index.ts` that hands it on, for which those that import that. */
function callersOf(
  file: string,
  importers: ReadonlyMap<string, ReadonlySet<string>>,
  hands: (index: string, file: string) => boolean,
): ReadonlySet<string> {
  const callers = new Set<string>();
  const seen = new Set<string>();
  const look = (each: string): void => {
    for (const importer of importers.get(each) ?? []) {
      if (seen.has(importer)) continue;
      seen.add(importer);
      if (isIndex(importer) && hands(importer, each)) look(importer);
      else callers.add(importer);
    }
  };
  look(file);
  return callers;
}

describe('callersOf', () => {
  const importers = new Map([
    ['a/part.ts', new Set(['a/index.ts'])],
    ['a/table.ts', new Set(['a/index.ts'])],
    ['a/index.ts', new Set(['b/index.ts', 'c.ts'])],
    ['b/index.ts', new Set(['c.ts', 'd.ts'])],
  ]);

  it('looks through an index.ts, and one that hands that on, and counts each file once', () => {
    expect([...callersOf('a/part.ts', importers, () => true)]).to.have.members(['c.ts', 'd.ts']);
  });

  it('counts an index.ts that uses the file itself', () => {
    expect([...callersOf('a/table.ts', importers, () => false)]).to.deep.equal(['a/index.ts']);
  });
});

/**
 * A reader follows an idea from file to file: a file that only one other uses costs a jump and gives nothing back, unless it
 * is an idea of its own that reads better apart, or that a test needs apart. So such files are the smaller part. What
 * stands for a folder, its `index.ts`, is neither counted nor a caller.
 */
describe('files with a single caller', () => {
  const maxShare = 1 / 3;

  it('are at most a third of all', () => {
    const importers = importersOf(projectImports());
    const files = sourceFiles().filter((file) => file.startsWith('src/') && !isIndex(file));
    const single = files.filter((file) => callersOf(file, importers, handsOn).size === 1);
    expect(single.length / files.length).to.be.at.most(maxShare);
  });
});

describe('files with a single importer', () => {
  /** Lower it with files that join others. An `index.ts` counts as an importer, so that what it shows to others counts here. */
  const maxShare = 0.46;

  it(`are at most ${maxShare * 100} % of all`, () => {
    const importers = importersOf(projectImports());
    const files = sourceFiles().filter((file) => file.startsWith('src/'));
    const single = files.filter((file) => importers.get(file)?.size === 1);
    expect(single.length / files.length).to.be.at.most(maxShare);
  });
});
