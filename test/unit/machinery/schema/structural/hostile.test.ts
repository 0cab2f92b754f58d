import { expect } from 'chai';
import fc from 'fast-check';
import { isJsonObject } from '../../../../../src/base/index.ts';
import {
  compilePattern,
  patternSize,
  type SchemaNode,
} from '../../../../../src/machinery/schema/structural/index.ts';
import { compileSchema, objectWith, withSpec } from './custom-schema-fixture.ts';

const tooMuch = 'the schema takes too long to check this object: both are too large for each other';

/** Errors of a value by the schema of `spec`, and whether the check was given up. */
function check(schema: SchemaNode, spec: unknown): { readonly count: number; readonly isGivenUp: boolean } {
  const errors = compileSchema(withSpec(schema)).validateValues({ spec });
  return { count: errors.length, isGivenUp: errors.at(-1)?.detail === tooMuch };
}

/** A value inside so many others. */
function nest(depth: number, value: unknown, wrap: (inner: unknown) => unknown): unknown {
  let nested = value;
  for (let level = 0; level < depth; level++) nested = wrap(nested);
  return nested;
}

describe('schemas of strangers', () => {
  it('whose patterns explode elsewhere are matched in time that grows with the text', () => {
    const patterns = [
      '^(a+)+$',
      '(a*)*(b*)*c',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
      '^(a|aa)+$',
      '(.*)(.*)(.*)(.*)x',
      '(a?){30}a{30}b',
    ];
    for (const pattern of patterns) {
      expect(check({ type: 'string', pattern }, `${'a'.repeat(5000)}!`), pattern).to.deep.equal({
        count: 1,
        isGivenUp: false,
      });
    }
  });

  it('are not matched with texts that are too long for them', () => {
    const schema = { type: 'string', pattern: '^(?:(?:a{0,30}){0,30})$' };
    expect(check(schema, 'a'.repeat(100))).to.deep.equal({ count: 0, isGivenUp: false });
    expect(check(schema, 'a'.repeat(100_000)).isGivenUp).to.equal(true);
    // Together they are too long as well.
    const texts = { type: 'array', items: schema };
    expect(check(texts, new Array(1000).fill('a'.repeat(100))).isGivenUp).to.equal(true);
    // A simple pattern may look at a long text.
    expect(check({ type: 'string', pattern: '^[a-z]*$' }, 'a'.repeat(500_000))).to.deep.equal({
      count: 0,
      isGivenUp: false,
    });
  });

  it('whose patterns are too large, written out, are not compiled', () => {
    const sizes: readonly (readonly [string, number])[] = [
      ['', 0],
      ['abc', 3],
      ['a{1000}', 1001],
      ['(a{1000}){300}', 301_903],
      ['(?:(?:a{30}){30}b{5})', 1095],
      ['[]a]{2,7}x', 9],
      ['\\p{L}{3}', 26],
      [')(', 1],
      ['\\', 1],
    ];
    for (const [pattern, size] of sizes) expect(patternSize(pattern), pattern).to.be.closeTo(size, size / 5);
    for (const pattern of [
      '(a{1000}){300}',
      'a'.repeat(1_000_000),
      '\\p{L}'.repeat(20_000),
      '('.repeat(100_000),
    ]) {
      expect('fault' in compilePattern(pattern), pattern.slice(0, 20)).to.equal(true);
    }
  });

  it('with many alternatives, each for many items, are given up', () => {
    const alternatives = Array.from({ length: 1000 }, (_, at) => ({ enum: [`x${at}`] }));
    const many = { type: 'array', items: { oneOf: alternatives } };
    expect(check(many, ['x1', 'x2'])).to.deep.equal({ count: 0, isGivenUp: false });
    expect(check(many, new Array(5000).fill('x1')).isGivenUp).to.equal(true);
    // Alternatives within alternatives multiply.
    const deep = nest(25, {}, (inner) => ({ allOf: [inner, inner] }));
    expect(check(isJsonObject(deep) ? deep : {}, 5).isGivenUp).to.equal(true);
  });

  it('with long lists of allowed values look them up', () => {
    const values = Array.from({ length: 100_000 }, (_, at) => `value-${at}`);
    const schema = { type: 'array', items: { type: 'string', enum: values } };
    expect(check(schema, values.slice(0, 10_000))).to.deep.equal({ count: 0, isGivenUp: false });
  });

  it('with wide and deep parts are compiled as far as objects go', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, at) => [`p${at}`, { type: 'object', properties: { a: {} } }]),
    );
    expect(check({ type: 'object', properties }, { p7: { a: 1 } })).to.deep.equal({
      count: 0,
      isGivenUp: false,
    });
    const deep = nest(1000, { type: 'string' }, (items) => ({ type: 'array', items }));
    const value = nest(900, 'text', (inner) => [inner]);
    expect(check(isJsonObject(deep) ? deep : {}, value).count).to.equal(1);
  });

  it('cost the same bounded time whatever multiplies', () => {
    const [many, long, text] = [1000, 100_000, 'a'.repeat(1_000_000)];
    const times = (count: number, make: (at: number) => unknown): unknown[] =>
      Array.from({ length: count }, (_, at) => make(at));
    const wide = Object.fromEntries(times(long, (at) => [`m${at}`, at]) as [string, number][]);
    const deepName = 'k'.repeat(2000);
    const cases: readonly (readonly [says: string, schema: SchemaNode, spec: unknown])[] = [
      ['lengths of a long text', { allOf: times(many, (at) => ({ maxLength: 600_000 + at })) }, text],
      ['errors that show a long text', { allOf: times(many, (at) => ({ maxLength: at })) }, text],
      ['values that are no long text', { allOf: times(many, (at) => ({ enum: [`x${at}`] })) }, text],
      ['values that are no long list', { allOf: times(many, (at) => ({ enum: [at] })) }, times(long, Number)],
      [
        'many allowed values, each time',
        { type: 'array', items: { enum: times(long, (at) => `v${at}`) } },
        times(many, (at) => `w${at}`),
      ],
      ['allowed objects', { enum: times(long, (at) => ({ a: [at, { b: at }] })) }, {}],
      [
        'missing members',
        { type: 'array', items: { type: 'object', required: times(many, (at) => `r${at}`) } },
        times(10_000, () => ({})),
      ],
      ['members without a schema', { allOf: times(many, () => ({ properties: { a: {} } })) }, wide],
      ['members that are counted', { allOf: times(many, () => ({ minProperties: 1 })) }, wide],
      [
        'long paths',
        nest(90, { type: 'array', items: { type: 'string' } }, (inner) => ({
          type: 'object',
          properties: { [deepName]: inner },
        })) as SchemaNode,
        nest(90, times(long, Number), (inner) => ({ [deepName]: inner })),
      ],
    ];
    for (const [says, schema, spec] of cases) expect(check(schema, spec).isGivenUp, says).to.equal(true);
    const numbers = { allOf: times(many, () => ({ maximum: 5 })) };
    const errors = compileSchema(withSpec(numbers)).validateValues(objectWith('9'.repeat(1_000_000)));
    expect(errors.at(-1)?.detail, 'long numbers').to.equal(tooMuch);
  });

  it('with defaults that multiply are not followed', () => {
    let schema: SchemaNode = { type: 'string', default: 'x'.repeat(100) };
    for (let level = 0; level < 4; level++) {
      const properties = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`p${at}`, schema]));
      schema = { type: 'object', default: {}, properties };
    }
    const compiled = compileSchema(withSpec({ type: 'array', items: schema }));
    expect(compiled.applyDefaults(objectWith('[{}]'))).to.equal(true);
    expect(compiled.applyDefaults(objectWith(`[${new Array(1000).fill('{}').join()}]`))).to.equal(false);
  });

  it('with lists of very many different items, or embedded objects, are given up', () => {
    const set = { type: 'array', 'x-orch-list-type': 'set', items: { type: 'integer' } };
    const map = {
      type: 'array',
      'x-orch-list-type': 'map',
      'x-orch-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'integer' } } },
    };
    const resource = {
      type: 'object',
      'x-orch-embedded-resource': true,
      'x-orch-preserve-unknown-fields': true,
    };
    const cases: readonly (readonly [schema: SchemaNode, item: (at: number) => unknown])[] = [
      [set, (at) => at],
      [map, (k) => ({ k })],
      [{ type: 'array', items: resource }, () => ({ apiVersion: 'v1', kind: 'A' })],
    ];
    for (const [schema, item] of cases) {
      const compiled = compileSchema(withSpec(schema));
      const errorsOf = (count: number) =>
        compiled.validateMarkers({ spec: Array.from({ length: count }, (_, at) => item(at)) });
      expect(errorsOf(1000)).to.deep.equal([]);
      expect(errorsOf(200_000).map(({ detail }) => detail)).to.deep.equal([tooMuch]);
    }
  });

  it('with large lists whose items have several keys are looked at to the end', () => {
    const names = ['port', 'protocol', 'zone'];
    const list = {
      type: 'array',
      'x-orch-list-type': 'map',
      'x-orch-list-map-keys': names,
      items: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) },
    };
    const compiled = compileSchema(withSpec(list));
    const items = Array.from({ length: 25_000 }, (_, port) => ({ port, protocol: 'TCP', zone: 'z' }));
    expect(compiled.validateMarkers({ spec: items })).to.deep.equal([]);
    const found = compiled.validateMarkers({ spec: [...items, items[7]] });
    expect(found.map(({ kind, path }) => `${kind} ${path}`)).to.deep.equal(['duplicate spec[25000]']);
  });

  it('are told of a bounded number of errors', () => {
    const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`m${at}`, at]));
    expect(check({ type: 'object', additionalProperties: { type: 'string' } }, members).count).to.equal(1000);
  });

  it('and objects of any shape end in errors at most', () => {
    const words = fc.constantFrom(
      ...[
        'type',
        'properties',
        'items',
        'anyOf',
        'oneOf',
        'allOf',
        'not',
        'enum',
        'pattern',
        'format',
        'required',
      ],
      ...[
        'minimum',
        'maximum',
        'multipleOf',
        'maxLength',
        'minItems',
        'maxProperties',
        'uniqueItems',
        'nullable',
      ],
      ...[
        'default',
        'additionalProperties',
        'x-orch-int-or-string',
        'x-orch-list-type',
        'x-orch-list-map-keys',
      ],
      ...['x-orch-embedded-resource', 'x-orch-preserve-unknown-fields', '__proto__', 'metadata', 'a'],
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>('object', 'array', 'string', 'integer', 'set', 'map', '(', 'date-time', ''),
        fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e300),
        fc.dictionary(words, tie('value'), { maxKeys: 5 }),
        fc.array(tie('value'), { maxLength: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (schema, spec) => {
        const compiled = compileSchema({ type: 'object', properties: { spec: schema } });
        const object = objectWith(JSON.stringify(spec));
        compiled.applyDefaults(object);
        compiled.prune(object);
        compiled.coerceEmbedded(object, { dropsInvalid: true });
        const errors = [...compiled.validateValues(object), ...compiled.validateMarkers(object, object)];
        expect(errors.map(String).every((text) => text.includes(': '))).to.equal(true);
      }),
      { numRuns: 2000 },
    );
  });
});
