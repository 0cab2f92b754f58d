import { expect } from 'chai';
import fc from 'fast-check';
import {
  applyJsonPatch,
  formatJsonPointer,
  type JsonPatchOperation,
  PatchError,
  parseJsonPatch,
} from '../../../../src/machinery/patch/index.ts';

type Container = Record<string, unknown> | unknown[];

/** RFC 6902 by the book, one whole copy of the document for each operation; undefined for a failure. */
function applyByTheBook(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  let current: unknown = structuredClone(document);
  for (const { op, path, from, value } of operations) {
    const next: unknown = structuredClone(current);
    const place = locate(next, String(path));
    const source = from === undefined ? undefined : locate(next, String(from));
    if (from !== undefined && source === undefined) return undefined;
    if (op === 'move') {
      const moved = source?.read();
      if (source?.has() !== true) return undefined;
      source.remove();
      // The way is looked for again: what moved may have been part of it.
      if (locate(next, String(path))?.insert(moved) !== true) return undefined;
    } else if (op === 'copy') {
      if (source?.isItem === true && !source.has()) return undefined;
      if (place?.insert(structuredClone(source?.read() ?? null)) !== true) return undefined;
    } else if (op === 'add') {
      if (place?.insert(structuredClone(value)) !== true) return undefined;
    } else if (op === 'remove') {
      if (place?.has() !== true) return undefined;
      place.remove();
    } else if (op === 'replace') {
      if (place === undefined || (place.isItem && !place.has())) return undefined;
      place.set(structuredClone(value));
    } else {
      if (place === undefined || (place.isItem && !place.has())) return undefined;
      if (JSON.stringify(sorted(place.read() ?? null)) !== JSON.stringify(sorted(value))) return undefined;
    }
    current = next;
  }
  return current;
}

interface Place {
  readonly isItem: boolean;
  has(): boolean;
  read(): unknown;
  remove(): void;
  set(value: unknown): void;
  insert(value: unknown): boolean;
}

function locate(document: unknown, path: string): Place | undefined {
  const names = path.split('/').slice(1);
  const last = names.pop() ?? '';
  let node = document;
  for (const name of names) {
    if (typeof node !== 'object' || node === null) return undefined;
    if (Array.isArray(node)) node = node[Number(name)];
    else node = Object.hasOwn(node, name) ? (node as Record<string, unknown>)[name] : undefined;
  }
  if (typeof node !== 'object' || node === null) return undefined;
  return placeOf(node as Container, last);
}

function placeOf(container: Container, name: string): Place {
  if (!Array.isArray(container)) {
    return {
      isItem: false,
      has: () => Object.hasOwn(container, name),
      read: () => container[name],
      remove: () => delete container[name],
      set: (value) => {
        container[name] = value;
      },
      insert: (value) => {
        container[name] = value;
        return true;
      },
    };
  }
  const index = name === '-' ? container.length : Number(name);
  return {
    isItem: true,
    has: () => name !== '-' && index < container.length,
    read: () => container[index],
    remove: () => container.splice(index, 1),
    set: (value) => {
      container[index] = value;
    },
    insert: (value) => {
      if (index > container.length) return false;
      container.splice(index, 0, value);
      return true;
    },
  };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, unknown] => [name, sorted(member)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.nat({ max: 3 }),
    fc.constantFrom('x', true, null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom('a', 'b', '0'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
}));
const document = fc.record({ a: value, b: value, list: fc.array(value, { minLength: 1, maxLength: 4 }) });
const path = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(['a'], ['b'], ['c']) },
    { weight: 4, arbitrary: fc.constantFrom('0', '1', '2', '4').map((index) => ['list', index]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom('a', 'b', 'list', '0', '1'), { minLength: 2, maxLength: 3 }),
    },
  )
  .map(formatJsonPointer);
const target = fc.oneof({ weight: 4, arbitrary: path }, fc.constant('/list/-'));
const operation: fc.Arbitrary<JsonPatchOperation> = fc.oneof(
  fc.record({ op: fc.constantFrom('add'), path: target, value }),
  fc.record({ op: fc.constantFrom('replace', 'test'), path, value }),
  fc.record({ op: fc.constant('remove'), path }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path: target }),
);

describe('applyJsonPatch, for any document and operations', () => {
  it('does what the RFC says, or refuses all', () => {
    let applied = 0;
    fc.assert(
      fc.property(document, fc.array(operation, { minLength: 1, maxLength: 4 }), (given, operations) => {
        const before = JSON.stringify([given, operations]);
        // A list is only ever entered by an index; what the reference says of other names has tests of its own.
        let result: unknown;
        try {
          result = applyJsonPatch(given, operations);
        } catch (error) {
          expect(error).to.be.instanceOf(PatchError);
          if (error instanceof PatchError && error.code === 'bad-operation') return;
        }
        const expected = applyByTheBook(given, operations);
        expect(result).to.deep.equal(expected);
        expect(JSON.stringify([given, operations])).to.equal(before);
        if (expected !== undefined) applied++;
      }),
      { numRuns: 1500 },
    );
    // Most must apply for the comparison to mean something.
    expect(applied).to.be.above(400);
  });
});

describe('messages of applyJsonPatch', () => {
  const atoi = (text: string): string => `strconv.Atoi: parsing "${text}": invalid syntax`;
  const rows: readonly (readonly [operation: JsonPatchOperation, message: string])[] = [
    [
      { op: 'add', path: '/x/y', value: 1 },
      'add operation does not apply: doc is missing path: "/x/y": missing value',
    ],
    [
      { op: 'replace', path: '/x/y', value: 1 },
      'replace operation does not apply: doc is missing path: /x/y: missing value',
    ],
    [
      { op: 'test', path: '/x/y', value: 1 },
      'test operation does not apply: is missing path: /x/y: missing value',
    ],
    [
      { op: 'move', from: '/x/y', path: '/a' },
      'move operation does not apply: doc is missing from path: /x/y: missing value',
    ],
    [
      { op: 'copy', from: '/x/y', path: '/a' },
      'copy operation does not apply: doc is missing from path: /x/y: missing value',
    ],
    [
      { op: 'remove', path: '/x/y' },
      'remove operation does not apply: doc is missing path: "/x/y": missing value',
    ],
    [
      { op: 'move', from: '/a', path: '/x/y' },
      'move operation does not apply: doc is missing destination path: /x/y: missing value',
    ],
    [
      { op: 'copy', from: '/a', path: '/x/y' },
      'copy operation does not apply: doc is missing destination path: /x/y: missing value',
    ],
    [
      { op: 'remove', path: '/x' },
      "error in remove for path: '/x': Unable to remove nonexistent key: x: missing value",
    ],
    [
      { op: 'move', from: '/x', path: '/b' },
      "error in move for path: 'x': Unable to remove nonexistent key: x: missing value",
    ],
    [
      { op: 'remove', path: '/l/5' },
      "error in remove for path: '/l/5': Unable to access invalid index: 5: invalid index referenced",
    ],
    [
      { op: 'replace', path: '/l/-3', value: 1 },
      'replace operation does not apply: doc is missing key: /l/-3: missing value',
    ],
    [
      { op: 'copy', from: '/l/7', path: '/b' },
      "error in copy for from: '/l/7': Unable to access invalid index: 7: invalid index referenced",
    ],
    [
      { op: 'copy', from: '/a', path: '/l/7' },
      'error while adding value during copy: Unable to access invalid index: 7: invalid index referenced',
    ],
    [
      { op: 'add', path: '/l/a', value: 1 },
      `error in add for path: '/l/a': value was not a proper array index: 'a': ${atoi('a')}`,
    ],
    [
      { op: 'add', path: '/l/1.5', value: 1 },
      `error in add for path: '/l/1.5': value was not a proper array index: '1.5': ${atoi('1.5')}`,
    ],
    [{ op: 'remove', path: '/l/-' }, `error in remove for path: '/l/-': ${atoi('-')}`],
    [{ op: 'move', from: '/l/b', path: '/c' }, `error in move for path: 'b': ${atoi('b')}`],
    [{ op: 'copy', from: '/l/b', path: '/c' }, `error in copy for from: '/l/b': ${atoi('b')}`],
    [{ op: 'test', path: '/l/b', value: 1 }, `error in test for path: '/l/b': ${atoi('b')}`],
    [
      { op: 'test', path: '/l/+012345678901234567', value: 1 },
      "error in test for path: '/l/+012345678901234567': Unable to access invalid index: 12345678901234567: invalid index referenced",
    ],
    [
      { op: 'remove', path: '/l/9223372036854775808' },
      'error in remove for path: \'/l/9223372036854775808\': strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
    [
      { op: 'add', path: '/l/9/x', value: 1 },
      'add operation does not apply: doc is missing path: "/l/9/x": missing value',
    ],
    [
      { op: 'test', path: '/l/b/x', value: 1 },
      'test operation does not apply: is missing path: /l/b/x: missing value',
    ],
    [
      { op: 'add', path: '', value: 1 },
      'add operation does not apply: doc is missing path: "": missing value',
    ],
    [{ op: 'remove', path: '' }, 'remove operation does not apply: doc is missing path: "": missing value'],
    [
      { op: 'replace', path: '', value: {} },
      'replace operation does not apply: doc is missing path: : missing value',
    ],
    [
      { op: 'move', from: '', path: '/b' },
      'move operation does not apply: doc is missing from path: : missing value',
    ],
    [
      { op: 'move', from: '/a', path: 'b' },
      'move operation does not apply: doc is missing destination path: b: missing value',
    ],
    [
      { op: 'copy', from: '', path: '/b' },
      'copy operation does not apply: doc is missing from path: : missing value',
    ],
    [
      { op: 'copy', from: '/a', path: '' },
      'copy operation does not apply: doc is missing destination path: : missing value',
    ],
    [{ op: 'test', path: '', value: {} }, 'test operation does not apply: is missing path: : missing value'],
    [{ op: 'test', path: '/a', value: 2 }, 'testing value /a failed: test failed'],
    [{ op: 'rename', path: '/a' }, 'Unexpected kind: rename'],
    [{ op: 5, path: '/a' }, 'Unexpected kind: unknown'],
    [{ path: '/a' }, 'Unexpected kind: unknown'],
    [{ op: 'add', value: 1 }, 'add operation failed to decode path: missing value'],
    [{ op: 'remove', path: 7 }, 'remove operation failed to decode path: missing value'],
    [
      { op: 'replace', path: null },
      'replace operation failed to decode path: operation missing path field: missing value',
    ],
    [
      { op: 'test', path: [] },
      'test operation failed to decode path: json: cannot unmarshal array into Go value of type string',
    ],
    [
      { op: 'move', path: '/a' },
      'move operation failed to decode from: operation, missing from field: missing value',
    ],
    [
      { op: 'move', from: '/a' },
      'move operation failed to decode path: operation missing path field: missing value',
    ],
    [
      { op: 'copy', path: '/a', from: 1 },
      'copy operation failed to decode from: json: cannot unmarshal number into Go value of type string',
    ],
    [{ op: 'copy', from: '/a' }, 'copy operation failed to decode path: missing value'],
  ];
  for (const [each, message] of rows) {
    it(`${JSON.stringify(each)}: ${message}`, () => {
      const apply = () => applyJsonPatch({ a: 1, l: [1, 2] }, [each]);
      expect(apply).to.throw(PatchError).with.property('message', message);
    });
  }

  const bodies: readonly (readonly [unknown, string])[] = [
    [{}, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
    ['x', 'json: cannot unmarshal string into Go value of type jsonpatch.Patch'],
    [5, 'json: cannot unmarshal number into Go value of type jsonpatch.Patch'],
    [true, 'json: cannot unmarshal bool into Go value of type jsonpatch.Patch'],
    [[1], 'json: cannot unmarshal number into Go value of type jsonpatch.Operation'],
    [[{}, []], 'json: cannot unmarshal array into Go value of type jsonpatch.Operation'],
  ];
  for (const [body, message] of bodies) {
    it(`the body ${JSON.stringify(body)}: ${message}`, () => {
      expect(() => parseJsonPatch(body))
        .to.throw(PatchError, message)
        .with.property('code', 'bad-patch');
    });
  }
});
