import { expect } from 'chai';
import { fieldSetOf } from '../../../../src/machinery/apply/fieldpath/field-set.ts';
import { formatPath } from '../../../../src/machinery/apply/fieldpath/path-element.ts';
import { listConflicts } from '../../../../src/machinery/apply/merge/conflict.ts';

const shown = (...paths: string[][]): string[] =>
  listConflicts(new Map([['m', fieldSetOf(...paths)]])).map(({ path }) => formatPath(path));

describe('listConflicts', () => {
  it('names managers in order, and members of a level before what is below, each in order', () => {
    const set = fieldSetOf(['f:b', 'f:z'], ['f:a', 'f:y'], ['f:c'], ['f:b'], ['v:1']);
    const listed = listConflicts(
      new Map([
        ['n', set],
        ['m', fieldSetOf(['f:x'])],
      ]),
    );
    expect(listed.map(({ manager, path }) => `${manager} ${path.join(' ')}`)).to.deep.equal([
      'm f:x',
      'n f:b',
      'n f:c',
      'n v:1',
      'n f:a f:y',
      'n f:b f:z',
    ]);
  });

  it('shows the last fourth step of a path for all of them', () => {
    const item = ['f:status', 'f:conditions', 'k:{"type":"X"}'];
    const paths = [
      ['f:spec', 'f:a', 'f:b'],
      [...item, 'f:reason'],
      [...item, 'f:status'],
      [...item, 'f:type'],
    ];
    expect(shown(...paths, ['f:spec', 'f:a', 'f:c'], item)).to.deep.equal([
      '.spec.a.b',
      '.spec.a.c',
      '.status.conditions[type="X"]',
      '.status.conditions[type="X"].type',
      '.status.conditions[type="X"].type',
      '.status.conditions[type="X"].type',
    ]);
  });

  it('shows what is below the last fourth step in its place, too', () => {
    const item = ['f:a', 'f:b', 'f:c'];
    expect(shown([...item, 'f:d'], [...item, 'f:e', 'f:f'], [...item, 'f:e', 'f:g'])).to.deep.equal([
      '.a.b.c.e',
      '.a.b.c.e.f',
      '.a.b.c.e.g',
    ]);
  });

  it('shows the last sixth to eighth step of a path of five for all of them', () => {
    const path = ['f:a', 'f:b', 'f:c', 'f:d', 'f:e'];
    const six = [...path, 'f:h'];
    expect(shown([...path, 'f:f'], [...path, 'f:g'], [...six, 'f:i'], [...six, 'f:j', 'f:k'])).to.deep.equal([
      '.a.b.c.d.e.h',
      '.a.b.c.d.e.h',
      '.a.b.c.d.e.h.j',
      '.a.b.c.d.e.h.j.k',
    ]);
  });
});
