import { expect } from 'chai';
import fc from 'fast-check';
import { NameBook } from '../../../../src/registry/customs/held-names.ts';

const widgets = {
  group: 'a.io',
  names: {
    plural: 'widgets',
    singular: 'widget',
    shortNames: ['wd', 'w'],
    kind: 'Widget',
    listKind: 'WidgetList',
  },
};

describe('NameBook', () => {
  it('holds plural, singular and short names as resources, kinds apart', () => {
    const book = new NameBook();
    book.set('widgets.a.io', widgets);
    const { resources, kinds } = book.of('a.io');
    for (const name of ['widgets', 'widget', 'wd', 'w']) {
      expect(resources.has(name), name).to.equal(true);
      expect(kinds.has(name), name).to.equal(false);
    }
    for (const name of ['Widget', 'WidgetList']) {
      expect(kinds.has(name), name).to.equal(true);
      expect(resources.has(name), name).to.equal(false);
    }
    for (const name of ['', 'gadgets', 'Widgets', 'constructor'])
      expect(resources.has(name), name).to.equal(false);
  });

  it('holds names in their group only', () => {
    const book = new NameBook();
    book.set('widgets.a.io', widgets);
    for (const group of ['', 'b.io', 'A.io', '__proto__'])
      expect(book.of(group).resources.has('widgets'), group).to.equal(false);
  });

  it('tells of changes also to who asked before', () => {
    const book = new NameBook();
    const held = book.of('a.io').resources;
    book.set('widgets.a.io', widgets);
    expect(held.has('widgets')).to.equal(true);
    book.set('widgets.a.io', undefined);
    expect(held.has('widgets')).to.equal(false);
  });

  it('holds nothing of names that were not accepted yet', () => {
    const book = new NameBook();
    book.set('widgets.a.io', { group: 'a.io', names: { plural: '', kind: '' } });
    expect(book.of('a.io').resources.has('')).to.equal(false);
    expect(book.of('a.io').kinds.has('')).to.equal(false);
  });

  it('says in which group names may be free now', () => {
    const book = new NameBook();
    const renamed = { ...widgets, names: { ...widgets.names, shortNames: ['wd'] } };
    expect(book.set('widgets.a.io', undefined), 'never there').to.equal(undefined);
    expect(book.set('widgets.a.io', widgets), 'new').to.equal(undefined);
    expect(book.set('widgets.a.io', structuredClone(widgets)), 'the same').to.equal(undefined);
    expect(book.set('widgets.a.io', renamed), 'one less').to.equal('a.io');
    expect(book.of('a.io').resources.has('w')).to.equal(false);
    expect(book.of('a.io').resources.has('wd')).to.equal(true);
    expect(book.set('widgets.a.io', undefined), 'gone').to.equal('a.io');
    expect(book.set('widgets.a.io', undefined), 'gone already').to.equal(undefined);
  });

  it('holds a name that several hold until all let it go', () => {
    const book = new NameBook();
    book.set('widgets.a.io', widgets);
    book.set('wads.a.io', { group: 'a.io', names: { plural: 'wads', shortNames: ['w', 'w'], kind: 'Wad' } });
    const { resources } = book.of('a.io');
    book.set('widgets.a.io', undefined);
    expect([resources.has('w'), resources.has('wd')]).to.deep.equal([true, false]);
    book.set('wads.a.io', undefined);
    expect(resources.has('w')).to.equal(false);
  });

  it('holds after any changes what the last of each definition held', () => {
    const name: fc.Arbitrary<string> = fc.constantFrom('', 'a', 'b', 'c', 'd');
    const holder = fc.record({
      group: fc.constantFrom('g', 'h'),
      names: fc.record(
        {
          plural: name,
          kind: name,
          singular: name,
          listKind: name,
          shortNames: fc.array(name, { maxLength: 3 }),
        },
        { requiredKeys: ['plural', 'kind'] },
      ),
    });
    const change = fc.tuple(fc.constantFrom('x', 'y', 'z'), fc.option(holder, { nil: undefined }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const book = new NameBook();
        for (const [definition, held] of changes) book.set(definition, held);
        const last = [...new Map(changes).values()].filter((held) => held !== undefined);
        for (const group of ['g', 'h']) {
          const names = last.filter((held) => held.group === group).map((held) => held.names);
          for (const each of ['a', 'b', 'c', 'd']) {
            const isResource = names.some(({ plural, singular, shortNames = [] }) =>
              [plural, singular, ...shortNames].includes(each),
            );
            const isKind = names.some(({ kind, listKind }) => [kind, listKind].includes(each));
            expect(book.of(group).resources.has(each)).to.equal(isResource);
            expect(book.of(group).kinds.has(each)).to.equal(isKind);
          }
        }
      }),
    );
  });
});
