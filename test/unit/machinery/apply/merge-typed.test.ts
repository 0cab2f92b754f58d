import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { fieldSetOf } from '../../../../src/machinery/apply/fieldpath/field-set.ts';
import { serializeFieldSet } from '../../../../src/machinery/apply/fieldpath/fields-v1.ts';
import { compareTyped } from '../../../../src/machinery/apply/typed/compare.ts';
import { createApplySchemaCompiler } from '../../../../src/machinery/apply/typed/compile-views.ts';
import { mergeTyped } from '../../../../src/machinery/apply/typed/merge-typed.ts';
import { extractItems, removeItems } from '../../../../src/machinery/apply/typed/select-items.ts';
import { toFieldSet } from '../../../../src/machinery/apply/typed/to-field-set.ts';
import { granularView, wholeView } from '../../../../src/machinery/apply/typed/view.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const catalog = createTypeCatalog(orchDialect);
const compiler = createApplySchemaCompiler(catalog);
const pod = compiler.viewOf('v1.PodSpec');
const meta = compiler.viewOf('meta.orch.io/v1.ObjectMeta');
const containers = (...items: object[]) => ({ containers: items });
const byName = (name: string): string => `k:{"name":"${name}"}`;

describe('mergeTyped', () => {
  const rows: readonly (readonly [string, unknown, unknown, unknown])[] = [
    ['a configuration that says nothing', { hostname: 'a' }, undefined, { hostname: 'a' }],
    ['nothing live', undefined, { hostname: 'a' }, { hostname: 'a' }],
    ['a leaf', { hostname: 'a', nodeName: 'n' }, { hostname: 'b' }, { hostname: 'b', nodeName: 'n' }],
    ['an explicit null', { hostname: 'a' }, { hostname: null }, { hostname: null }],
    [
      'a map',
      { nodeSelector: { a: '1' } },
      { nodeSelector: { b: '2' } },
      { nodeSelector: { a: '1', b: '2' } },
    ],
    [
      'an empty map, which takes nothing away',
      { nodeSelector: { a: '1' } },
      { nodeSelector: {} },
      { nodeSelector: { a: '1' } },
    ],
    [
      'a map where there was an empty one',
      { nodeSelector: {} },
      { nodeSelector: { a: '1' } },
      { nodeSelector: { a: '1' } },
    ],
    [
      'an item by its key, in its old place',
      containers({ name: 'a', image: 'x' }, { name: 'b', image: 'y' }),
      containers({ name: 'b', image: 'z' }),
      containers({ name: 'a', image: 'x' }, { name: 'b', image: 'z' }),
    ],
    [
      'a new item, behind the others',
      containers({ name: 'a' }),
      containers({ name: 'c' }, { name: 'a' }),
      containers({ name: 'a' }, { name: 'c' }),
    ],
    [
      'an atomic list, as a whole',
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b' }] },
      { tolerations: [{ key: 'b' }] },
    ],
    ['an empty atomic list', { tolerations: [{ key: 'a' }] }, { tolerations: [] }, { tolerations: [] }],
    [
      'an empty keyed list, which takes nothing away',
      containers({ name: 'a' }),
      containers(),
      containers({ name: 'a' }),
    ],
  ];
  for (const [title, live, config, wanted] of rows) {
    it(`takes ${title}`, () => {
      const before = JSON.stringify([live, config]);
      expect(mergeTyped(pod, live, config)).to.deep.equal(wanted);
      expect(JSON.stringify([live, config])).to.equal(before);
    });
  }

  it('adds to a set, each value once', () => {
    expect(mergeTyped(meta, { finalizers: ['a', 'b'] }, { finalizers: ['c', 'a'] })).to.deep.equal({
      finalizers: ['a', 'b', 'c'],
    });
  });

  it('replaces an undeclared value of another kind', () => {
    expect(mergeTyped(granularView, { a: { b: 1 } }, { a: [1] })).to.deep.equal({ a: [1] });
    expect(mergeTyped(granularView, { a: { b: 1 } }, { a: { c: 2 } })).to.deep.equal({ a: { b: 1, c: 2 } });
    expect(mergeTyped(wholeView, { a: 1 }, { b: 2 })).to.deep.equal({ b: 2 });
    expect(mergeTyped(wholeView, 1, undefined)).to.equal(1);
  });

  it('shares what the configuration does not name', () => {
    const live = { nodeSelector: { a: '1' }, affinity: { nodeAffinity: {} } };
    const merged = mergeTyped(pod, live, { hostname: 'x' }) as typeof live;
    expect(merged.affinity).to.equal(live.affinity);
  });
});

describe('toFieldSet', () => {
  const rows: readonly (readonly [string, unknown, object])[] = [
    ['scalars', { hostname: 'a', priority: 1 }, { 'f:hostname': {}, 'f:priority': {} }],
    ['nulls of scalars', { hostname: null }, { 'f:hostname': {} }],
    ['keys of maps', { nodeSelector: { a: '1' } }, { 'f:nodeSelector': { 'f:a': {} } }],
    ['atomic lists as one', { tolerations: [{ key: 'a' }] }, { 'f:tolerations': {} }],
    [
      'items and what they hold',
      containers({ name: 'a', image: 'x' }),
      { 'f:containers': { [byName('a')]: { '.': {}, 'f:image': {}, 'f:name': {} } } },
    ],
    [
      'nothing in empty objects and lists',
      { nodeSelector: {}, containers: [], affinity: { nodeAffinity: {} } },
      {},
    ],
    ['nothing in an empty object', {}, {}],
  ];
  for (const [title, value, wanted] of rows) {
    it(`names ${title}`, () => expect(serializeFieldSet(toFieldSet(pod, value))).to.deep.equal(wanted));
  }
});

describe('compareTyped', () => {
  interface Row {
    readonly title: string;
    readonly before: unknown;
    readonly after: unknown;
    readonly added?: object;
    readonly modified?: object;
    readonly removed?: object;
  }
  const rows: readonly Row[] = [
    {
      title: 'equal values',
      before: { hostname: 'a', containers: [] },
      after: { hostname: 'a', containers: [] },
    },
    {
      title: 'an empty list that went, which is a leaf then',
      before: containers(),
      after: {},
      removed: { 'f:containers': {} },
    },
    { title: 'a new leaf', before: {}, after: { hostname: 'a' }, added: { 'f:hostname': {} } },
    {
      title: 'another leaf',
      before: { hostname: 'a' },
      after: { hostname: 'b' },
      modified: { 'f:hostname': {} },
    },
    { title: 'a leaf that went', before: { hostname: 'a' }, after: {}, removed: { 'f:hostname': {} } },
    {
      title: 'a map that came, with its keys',
      before: {},
      after: { nodeSelector: { a: '1' } },
      added: { 'f:nodeSelector': { '.': {}, 'f:a': {} } },
    },
    {
      title: 'items in another order',
      before: containers({ name: 'a' }, { name: 'b' }),
      after: containers({ name: 'b' }, { name: 'a' }),
    },
    {
      title: 'an item that came, one that went and one that changed',
      before: containers({ name: 'a' }, { name: 'b', image: 'x' }),
      after: containers({ name: 'b', image: 'y' }, { name: 'c' }),
      added: { 'f:containers': { [byName('c')]: { '.': {}, 'f:name': {} } } },
      modified: { 'f:containers': { [byName('b')]: { 'f:image': {} } } },
      removed: { 'f:containers': { [byName('a')]: { '.': {}, 'f:name': {} } } },
    },
    {
      title: 'an atomic list in another order',
      before: { tolerations: [{ key: 'a' }, { key: 'b' }] },
      after: { tolerations: [{ key: 'b' }, { key: 'a' }] },
      modified: { 'f:tolerations': {} },
    },
  ];
  for (const { title, before, after, added = {}, modified = {}, removed = {} } of rows) {
    it(`finds ${title}`, () => {
      const found = compareTyped(pod, before, after);
      expect(serializeFieldSet(found.added), 'added').to.deep.equal(added);
      expect(serializeFieldSet(found.modified), 'modified').to.deep.equal(modified);
      expect(serializeFieldSet(found.removed), 'removed').to.deep.equal(removed);
    });
  }
});

describe('removeItems and extractItems', () => {
  const value = {
    hostname: 'h',
    nodeSelector: { a: '1', b: '2' },
    containers: [{ name: 'a', image: 'x' }, { name: 'b' }],
    tolerations: [{ key: 't' }],
  };
  const { hostname, nodeSelector, tolerations } = value;
  const [first, second] = value.containers;
  const rows: readonly (readonly [string, readonly string[][], unknown, unknown])[] = [
    ['nothing', [], value, null],
    ['a leaf', [['f:hostname']], { nodeSelector, containers: value.containers, tolerations }, { hostname }],
    [
      'a key of a map',
      [['f:nodeSelector', 'f:a']],
      { ...value, nodeSelector: { b: '2' } },
      { nodeSelector: { a: '1' } },
    ],
    [
      'all keys of a map, which then is null',
      [
        ['f:nodeSelector', 'f:a'],
        ['f:nodeSelector', 'f:b'],
      ],
      { ...value, nodeSelector: null },
      { nodeSelector },
    ],
    ['an item', [['f:containers', byName('a')]], { ...value, containers: [second] }, { containers: [first] }],
    [
      'a field of an item',
      [['f:containers', byName('a'), 'f:image']],
      { ...value, containers: [{ name: 'a' }, second] },
      { containers: [{ image: 'x' }] },
    ],
    [
      'a whole list',
      [['f:tolerations']],
      { hostname, nodeSelector, containers: value.containers },
      { tolerations },
    ],
    ['what is not there', [['f:nodeName'], ['f:containers', byName('z')]], value, { containers: null }],
  ];
  for (const [title, paths, rest, extracted] of rows) {
    it(`part ${title} from the rest`, () => {
      const items = fieldSetOf(...paths);
      expect(removeItems(pod, value, items)).to.deep.equal(rest);
      expect(extractItems(pod, value, items)).to.deep.equal(extracted);
    });
  }
});
