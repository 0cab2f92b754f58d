import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, sourceFiles, textOf } from './source-files.ts';

const value = /^export (?:async |abstract )*(?:const|let|function\*?|class) (\w+)/gm;
const word = /\w+/g;

/** How many files have each word. */
function countWords(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const file of globSync('{src,commands,bench,scripts,test}/**/*.ts', { cwd: root })) {
    for (const each of new Set(readFileSync(join(root, file), 'utf8').match(word))) {
      counts.set(each, (counts.get(each) ?? 0) + 1);
    }
  }
  return counts;
}

describe('exports', () => {
  it('are values that another file uses', () => {
    const counts = countWords();
    const dead = sourceFiles().flatMap((file) =>
      [...textOf(file).matchAll(value)]
        .map(([, name = '']) => name)
        .filter((name) => counts.get(name) === 1)
        .map((name) => `${file}: ${name}`),
    );
    expect(dead).to.deep.equal([]);
  });
});
