import { expect } from 'chai';
import fc from 'fast-check';
import {
  applyJsonPatch,
  type JsonPatchOperation,
  maxJsonPatchOperations,
  PatchError,
  type PatchErrorCode,
  parseJsonPatch,
} from '../../../../src/machinery/patch/index.ts';
import { jsonEqual } from '../../../../src/machinery/patch/json-value.ts';

const apply = (document: unknown, patch: unknown): unknown => applyJsonPatch(document, parseJsonPatch(patch));

function codeOf(action: () => unknown): PatchErrorCode | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof PatchError) return error.code;
    throw error;
  }
}

describe('applyJsonPatch', () => {
  const rfcExamples: [string, unknown, unknown[], unknown][] = [
    [
      'A.1 adds a member',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux' }],
      { baz: 'qux', foo: 'bar' },
    ],
    [
      'A.2 adds an item',
      { foo: ['bar', 'baz'] },
      [{ op: 'add', path: '/foo/1', value: 'qux' }],
      { foo: ['bar', 'qux', 'baz'] },
    ],
    ['A.3 removes a member', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    [
      'A.4 removes an item',
      { foo: ['bar', 'qux', 'baz'] },
      [{ op: 'remove', path: '/foo/1' }],
      { foo: ['bar', 'baz'] },
    ],
    ['A.5 replaces a value', { baz: 'qux' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo' }],
    [
      'A.6 moves a value',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7 moves an item',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'A.8 tests values',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    [
      'A.10 adds an object',
      { foo: 'bar' },
      [{ op: 'add', path: '/child', value: { a: {} } }],
      { foo: 'bar', child: { a: {} } },
    ],
    [
      'A.11 ignores unknown members',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
      { foo: 'bar', baz: 'qux' },
    ],
    [
      'A.14 unescapes names',
      { '/': 9, '~1': 10 },
      [{ op: 'test', path: '/~01', value: 10 }],
      { '/': 9, '~1': 10 },
    ],
    [
      'A.16 adds a list as one item',
      { foo: ['bar'] },
      [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      { foo: ['bar', ['abc', 'def']] },
    ],
  ];
  for (const [title, document, patch, wanted] of rfcExamples) {
    it(`RFC 6902 ${title}`, () => expect(apply(document, patch)).to.deep.equal(wanted));
  }

  const referenceWays: [string, unknown, unknown, unknown][] = [
    [
      'replace sets a missing member',
      { a: '1' },
      [{ op: 'replace', path: '/z', value: '1' }],
      { a: '1', z: '1' },
    ],
    [
      'copy of a missing member gives null',
      { a: '1' },
      [{ op: 'copy', from: '/q', path: '/r' }],
      { a: '1', r: null },
    ],
    ['remove at -1 takes the last item', { a: [1, 2, 3] }, [{ op: 'remove', path: '/a/-1' }], { a: [1, 2] }],
    ['add at -1 appends', { a: [1] }, [{ op: 'add', path: '/a/-1', value: 2 }], { a: [1, 2] }],
    ['an absent value is null', {}, [{ op: 'add', path: '/a' }], { a: null }],
    ['null tests equal to a missing member', {}, [{ op: 'test', path: '/a', value: null }], {}],
    ['a null patch changes nothing', { a: 1 }, null, { a: 1 }],
  ];
  for (const [title, document, patch, wanted] of referenceWays) {
    it(`like the reference, ${title}`, () => expect(apply(document, patch)).to.deep.equal(wanted));
  }

  const failures: [string, unknown, unknown, PatchErrorCode][] = [
    ['a removed member that is missing', { a: 1 }, [{ op: 'remove', path: '/z' }], 'missing-path'],
    ['a removed item that is missing', { a: [] }, [{ op: 'remove', path: '/a/9' }], 'missing-path'],
    ['an insertion behind the end', { a: [1] }, [{ op: 'add', path: '/a/7', value: 1 }], 'missing-path'],
    [
      'an insertion before the beginning',
      { a: [1] },
      [{ op: 'add', path: '/a/-3', value: 1 }],
      'missing-path',
    ],
    ['a missing parent', {}, [{ op: 'add', path: '/a/b', value: 1 }], 'missing-path'],
    ['a way through a scalar', { a: 'x' }, [{ op: 'add', path: '/a/b', value: 1 }], 'missing-path'],
    ['a moved member that is missing', { a: 1 }, [{ op: 'move', from: '/q', path: '/r' }], 'missing-path'],
    ['a move into itself', { a: { b: 1 } }, [{ op: 'move', from: '/a', path: '/a/b' }], 'missing-path'],
    ['the whole document', { a: 1 }, [{ op: 'replace', path: '', value: {} }], 'missing-path'],
    ['an inherited member', {}, [{ op: 'add', path: '/constructor/prototype/x', value: 1 }], 'missing-path'],
    ['a failing test', { a: 1 }, [{ op: 'test', path: '/a', value: '1' }], 'test-failed'],
    ['a test of a missing member', {}, [{ op: 'test', path: '/a', value: 1 }], 'test-failed'],
    ['an unknown operation', {}, [{ op: 'spam', path: '/a' }], 'bad-operation'],
    ['an operation without path', {}, [{ op: 'add', value: 1 }], 'bad-operation'],
    ['a null operation', {}, [null], 'bad-operation'],
    ['an index that is no number', { a: [1] }, [{ op: 'add', path: '/a/x', value: 1 }], 'bad-operation'],
    ['a patch that is an object', {}, { op: 'add' }, 'bad-patch'],
    ['an operation that is a text', {}, ['add'], 'bad-patch'],
    [
      'too many operations',
      {},
      Array.from({ length: maxJsonPatchOperations + 1 }, () => ({})),
      'too-many-operations',
    ],
  ];
  for (const [title, document, patch, code] of failures) {
    it(`refuses ${title}`, () => expect(codeOf(() => apply(document, patch))).to.equal(code));
  }

  it('says how many operations are allowed', () => {
    const patch = Array.from({ length: 10_001 }, () => ({}));
    expect(() => parseJsonPatch(patch)).to.throw(
      'The allowed maximum operations in a JSON patch is 10000, got 10001',
    );
  });

  it('stops copies that double a document again and again', () => {
    const doubling = Array.from({ length: 60 }, (_, at) => ({ op: 'copy', from: '/a', path: `/a/${at}` }));
    expect(codeOf(() => apply({ a: { x: 'text' } }, doubling))).to.equal('copy-too-large');
  });

  for (const op of ['copy', 'test']) {
    it(`refuses to ${op} what nests too deep instead of overflowing the stack`, () => {
      const deep = (): unknown => JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
      const patch = [{ op, from: '/a', path: op === 'test' ? '/a' : '/b', value: deep() }];
      expect(codeOf(() => apply({ a: deep() }, patch))).to.equal('bad-patch');
    });
  }

  it('changes neither prototypes nor inherited members', () => {
    const body: unknown = JSON.parse('[{"op":"add","path":"/__proto__","value":{"polluted":true}}]');
    const result = apply({}, body);
    expect(JSON.stringify(result)).to.equal('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });

  it('leaves document and patch as they were, and shares what it does not touch', () => {
    const document = { a: { list: [{ x: 1 }] }, b: { y: 1 } };
    const patch = [
      { op: 'add', path: '/a/list/-', value: { z: {} } },
      { op: 'copy', from: '/a/list', path: '/c' },
      { op: 'add', path: '/a/list/1/z/w', value: 1 },
      { op: 'remove', path: '/a/list/0/x' },
    ];
    const before = JSON.stringify([document, patch]);
    const result = apply(document, patch) as { b: unknown };
    expect(JSON.stringify([document, patch])).to.equal(before);
    expect(result).to.deep.equal({
      a: { list: [{}, { z: { w: 1 } }] },
      b: { y: 1 },
      c: [{ x: 1 }, { z: {} }],
    });
    expect(result.b).to.equal(document.b);
  });

  it('undoes an addition by a removal, at any place of any document', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.jsonValue(),
        (document, name, value) => {
          fc.pre(!Object.hasOwn(document, name));
          const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
          const added = apply(document, [{ op: 'add', path, value }]);
          const removed = apply(added, [{ op: 'remove', path }]);
          expect(jsonEqual(removed, document)).to.equal(true);
          apply(added, [{ op: 'test', path, value }]);
        },
      ),
    );
  });

  const written: [patch: JsonPatchOperation[], wanted: string][] = [
    [
      [{ op: 'add', path: '/a/0/n', value: { s: 1, r: 2 } }],
      '{"a":[{"n":{"s":1,"r":2},"x":1,"y":{"q":1,"p":2}}],"b":{"d":1,"c":2}}',
    ],
    [
      [{ op: 'test', path: '/a', value: [{ x: 1, y: { p: 2, q: 1 } }] }],
      '{"a":[{"x":1,"y":{"p":2,"q":1}}],"b":{"d":1,"c":2}}',
    ],
    [
      [{ op: 'copy', from: '/b', path: '/a/0' }],
      '{"a":[{"d":1,"c":2},{"y":{"q":1,"p":2},"x":1}],"b":{"d":1,"c":2}}',
    ],
    [[{ op: 'move', from: '/b/c', path: '/e' }], '{"a":[{"y":{"q":1,"p":2},"x":1}],"b":{"d":1},"e":2}'],
  ];
  for (const [patch, wanted] of written) {
    it(`sorts the members of what it opens, and only these: ${JSON.stringify(patch)}`, () => {
      const document = { b: { d: 1, c: 2 }, a: [{ y: { q: 1, p: 2 }, x: 1 }] };
      expect(JSON.stringify(apply(document, patch))).to.equal(wanted);
    });
  }
});
