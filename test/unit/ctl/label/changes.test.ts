import { expect } from 'chai';
import fc from 'fast-check';
import { CtlError } from '../../../../src/ctl/errors.ts';
import {
  findOverwritten,
  type KeyChanges,
  parseChanges,
  splitArguments,
  toMergePatch,
} from '../../../../src/ctl/label/changes.ts';

const words = (text: string): string[] => text.split(' ').filter(Boolean);

describe('splitArguments', () => {
  const cases: readonly [title: string, args: string, resources: string, pairs: string][] = [
    ['a pair behind a resource', 'pod web a=1', 'pod web', 'a=1'],
    ['several pairs', 'pod/web a=1 b- c=', 'pod/web', 'a=1 b- c='],
    ['pairs without a resource', 'a=1 b-', '', 'a=1 b-'],
    ['resources without a pair', 'pod web', 'pod web', ''],
    ['nothing', '', '', ''],
    ['a value with an equals sign', 'pod web a=b=c', 'pod web', 'a=b=c'],
    ['a value that ends in a dash', 'pod web a=b-', 'pod web', 'a=b-'],
    ['a name with a dash in it', 'pod my-web a=1', 'pod my-web', 'a=1'],
    ['a lone dash, which is no removal', 'pod - a=1', 'pod -', 'a=1'],
    ['an equals sign in front, which is no pair', 'pod =x a=1', 'pod =x', 'a=1'],
    [
      'a key with a domain',
      'pod web example.com/a=1 example.com/b-',
      'pod web',
      'example.com/a=1 example.com/b-',
    ],
    ['two dashes', 'pod web --', 'pod web', '--'],
  ];
  for (const [title, args, resources, pairs] of cases) {
    it(`separates ${title}`, () => {
      const expected = { resources: words(resources), pairs: words(pairs) };
      expect(splitArguments(words(args), 'label')).to.deep.equal(expected);
    });
  }

  it('takes an empty argument for a resource', () => {
    expect(splitArguments(['', 'a=1'], 'label')).to.deep.equal({ resources: [''], pairs: ['a=1'] });
  });

  it('refuses a resource behind a pair, and names the first one', () => {
    for (const what of ['label', 'annotation'])
      expect(() => splitArguments(['pod', 'a=1', 'web', 'b=2', 'db'], what)).to.throw(
        CtlError,
        `all resources must be specified before ${what} changes: web`,
      );
  });

  it('loses no argument and keeps their order', () => {
    const arg = fc.constantFrom('pod', 'web', 'a=1', 'b-', '-', '=', 'c=', 'x-y');
    fc.assert(
      fc.property(fc.array(arg), (args) => {
        try {
          const { resources, pairs } = splitArguments(args, 'label');
          expect([...resources, ...pairs]).to.deep.equal(args);
        } catch (error) {
          if (!(error instanceof CtlError)) throw error;
        }
      }),
    );
  });
});

describe('parseChanges', () => {
  const shown = ({ set, remove }: KeyChanges) => ({ set: [...set].map((pair) => pair.join('=')), remove });

  it('reads keys to set and keys to take away', () => {
    expect(shown(parseChanges(words('a=1 b- example.com/c=x d='), 'label'))).to.deep.equal({
      set: ['a=1', 'example.com/c=x', 'd='],
      remove: ['b'],
    });
  });

  it('takes the last of several values', () => {
    expect(shown(parseChanges(words('a=1 a=2'), 'label')).set).to.deep.equal(['a=2']);
  });

  it('takes a dash at the end of a value for a part of it', () => {
    expect(shown(parseChanges(['a=1-'], 'annotation'))).to.deep.equal({ set: ['a=1-'], remove: [] });
  });

  it('takes all that follows the first equals sign for the value of an annotation', () => {
    const changes = parseChanges(
      ['a=b=c', 'url=http://x/?q=1&r=2', 'text=two words\nand lines'],
      'annotation',
    );
    expect([...changes.set]).to.deep.equal([
      ['a', 'b=c'],
      ['url', 'http://x/?q=1&r=2'],
      ['text', 'two words\nand lines'],
    ]);
  });

  it('refuses a label with two equals signs', () => {
    expect(() => parseChanges(['a=b=c'], 'label')).to.throw(CtlError, 'invalid label spec: a=b=c');
    expect(() => parseChanges(['a=='], 'label')).to.throw(CtlError, 'invalid label spec: a==');
  });

  it('takes only one dash off', () => {
    expect(parseChanges(['a--'], 'label').remove).to.deep.equal(['a-']);
  });

  it('refuses to set and take away the same key', () => {
    const start = 'can not both modify and remove';
    expect(() => parseChanges(words('a=1 a-'), 'label')).to.throw(
      CtlError,
      /^can not both modify and remove a label in the same command$/,
    );
    expect(() => parseChanges(words('b- a- b=1 a=1 c-'), 'annotation')).to.throw(
      CtlError,
      `${start} the following annotation(s) in the same command: b, a`,
    );
  });

  it('keeps keys apart that objects inherit', () => {
    expect(shown(parseChanges(words('__proto__=1 constructor-'), 'label'))).to.deep.equal({
      set: ['__proto__=1'],
      remove: ['constructor'],
    });
  });
});

const changesOf = (set: Record<string, string>, ...remove: string[]): KeyChanges => ({
  set: new Map(Object.entries(set)),
  remove,
});

describe('findOverwritten', () => {
  it('finds keys that are there, with their old values, whatever the new ones', () => {
    const current = { a: '1', b: '2', c: '' };
    expect(findOverwritten(current, changesOf({ c: 'x', a: '1', d: '4' }, 'b'))).to.deep.equal([
      { key: 'c', value: '' },
      { key: 'a', value: '1' },
    ]);
  });

  it('finds none of those that objects inherit', () => {
    expect(findOverwritten({}, changesOf({ constructor: '1', toString: '2' } as never))).to.deep.equal([]);
  });
});

describe('toMergePatch', () => {
  const cases: readonly [string, Record<string, string>, KeyChanges, object | undefined][] = [
    ['sets what is not there', { a: '1' }, changesOf({ b: '2' }), { b: '2' }],
    ['sets what has another value', { a: '1' }, changesOf({ a: '2' }), { a: '2' }],
    ['leaves out what is so already', { a: '1' }, changesOf({ a: '1', b: '2' }), { b: '2' }],
    ['sets an empty value', {}, changesOf({ a: '' }), { a: '' }],
    ['takes away what is there', { a: '1' }, changesOf({}, 'a'), { a: null }],
    ['takes away what is there with an empty value', { a: '' }, changesOf({}, 'a'), { a: null }],
    ['is none when all is so already', { a: '1' }, changesOf({ a: '1' }, 'b'), undefined],
    ['is none of no changes', { a: '1' }, changesOf({}), undefined],
    ['takes nothing away that objects inherit', {}, changesOf({}, 'constructor'), undefined],
    ['sets what objects inherit', {}, changesOf({ toString: 'x' } as never), { toString: 'x' }],
  ];
  for (const [title, current, changes, patch] of cases)
    it(title, () => expect(toMergePatch(current, changes)).to.deep.equal(patch));

  it('names a key that assignment would take for the prototype', () => {
    const patch = toMergePatch({}, parseChanges(['__proto__=x'], 'label'));
    expect(JSON.stringify(patch)).to.equal('{"__proto__":"x"}');
  });

  it('carries the changes out, and then has nothing to change', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const entries = fc.dictionary(key, fc.constantFrom('', '1', '2'));
    fc.assert(
      fc.property(entries, entries, fc.uniqueArray(key), (current, set, all) => {
        const remove = all.filter((each) => !Object.hasOwn(set, each));
        const after: Record<string, string> = { ...current };
        for (const [name, value] of Object.entries(toMergePatch(current, changesOf(set, ...remove)) ?? {})) {
          if (value === null) delete after[name];
          else after[name] = value;
        }
        const expected: Record<string, string> = { ...current, ...set };
        for (const name of remove) delete expected[name];
        expect(after).to.deep.equal(expected);
        expect(toMergePatch(after, changesOf(set, ...remove))).to.equal(undefined);
      }),
    );
  });
});
