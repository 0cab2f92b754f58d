import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { root, textOf } from './source-files.ts';

/** Folders of commands of the client are told of as one. */
const together = /^ctl\//;

/** Folders, from `src` on, that the table of rooms names in its first column. */
function roomsOfGlossary(): string[] {
  const [, rooms = ''] = textOf('docs/glossary.md').split('\n## Rooms\n');
  const firstCells = rooms.split('\n').filter((line) => line.startsWith('| `'));
  return firstCells
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, name = '']) => name);
}

describe('the glossary', () => {
  const folders = new Set(
    globSync('src/{*,*/*}/*.ts', { cwd: root }).map((file) => dirname(file).slice('src/'.length)),
  );

  it('tells of every room', () => {
    const named = new Set(roomsOfGlossary());
    expect([...folders].filter((folder) => !named.has(folder) && !together.test(folder))).to.deep.equal([]);
  });

  it('tells of no room that is gone', () => {
    const there = new Set(globSync('src/{*,*/*}', { cwd: root }).map((path) => path.slice('src/'.length)));
    expect(roomsOfGlossary().filter((room) => !there.has(room))).to.deep.equal([]);
  });
});
