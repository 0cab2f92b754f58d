import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createObjectType } from '../../../../src/apis/customs/object-type.ts';
import { parseExact, rawNumber } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { DecodeError } from '../../../../src/machinery/schema/index.ts';

const type = createObjectType({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  metadata: createTypeCatalog(orchDialect).type('meta.orch.io/v1.ObjectMeta'),
});
const shared = (value: unknown): Record<string, unknown> => type.decodeShared?.(value) ?? {};

const name = fc.constantFrom('a', 'b', 'B', 'ä', '\u{1f600}', '\uffee', '__proto__', '10', '9', '');
const scalar = fc.constantFrom(
  '"x"',
  '"ü"',
  'true',
  'null',
  '0.5',
  '-0',
  '1e400',
  '9007199254740993',
  '99999999999999999999',
);
const anyText: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 5 },
    scalar,
    fc
      .uniqueArray(fc.tuple(name, tie('text')), { selector: ([key]) => key, maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
    fc.array(tie('text'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  ),
})).text;

describe('the type of a custom kind', () => {
  it('decodes to the same, whether parts are shared or not, and leaves the value alone', () => {
    fc.assert(
      fc.property(anyText, anyText, (spec, other) => {
        const value = parseExact(
          `{"spec":${spec},"metadata":{"name":"w"},"alpha":${other},"kind":"Widget","apiVersion":"v"}`,
        );
        const text = JSON.stringify(value);
        const decoded = JSON.stringify(type.decode(value));
        expect(JSON.stringify(shared(value))).to.equal(decoded);
        expect(JSON.stringify(value)).to.equal(text);
        expect(JSON.stringify(shared(parseExact(decoded)))).to.equal(decoded);
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses numbers beyond all doubles, however they are written', () => {
    for (const digits of ['1e400', '-1.5e309', `${'9'.repeat(400)}.5`, '9'.repeat(400)]) {
      const value = { kind: 'Widget', spec: { all: [rawNumber(digits)] } };
      const message = `unmarshalerDecoder: strconv.ParseFloat: parsing "${digits}": value out of range, error`;
      expect(() => type.decode(value)).to.throw(DecodeError, message);
      expect(() => shared(value)).to.throw(DecodeError, message);
    }
  });

  it('shares what is canonical already, and nothing of the metadata', () => {
    const inner = { a: [{ x: 1, y: 2 }], b: 'c' };
    const value = {
      kind: 'Widget',
      apiVersion: 'v',
      metadata: { labels: { a: 'b' } },
      spec: { z: inner, a: inner },
    };
    const { spec, metadata } = shared(value);
    expect(Object.keys(spec as object)).to.deep.equal(['a', 'z']);
    expect(Reflect.get(spec as object, 'a')).to.equal(inner);
    expect(Reflect.get(metadata as object, 'labels')).not.to.equal(value.metadata.labels);
    expect(Reflect.get(type.decode(value).spec as object, 'a')).not.to.equal(inner);
  });

  it('takes time in proportion to what it decodes, however deep', () => {
    const depth = 900;
    const deep = parseExact(`${'{"a":'.repeat(depth)}{"b":1,"a":2}${'}'.repeat(depth)}`);
    expect(JSON.stringify(shared({ kind: 'A', spec: deep }))).to.include('{"a":2,"b":1}');
  });
});
