import { expect } from 'chai';
import fc from 'fast-check';
import { isJsonObject, isRawNumber, rawNumber, setOwn } from '../../../../src/base/index.ts';
import {
  copyJson,
  formatGroupResource,
  formatGroupVersion,
  jsonKind,
  parseGroupVersion,
} from '../../../../src/machinery/schema/index.ts';

describe('rawNumber', () => {
  it('keeps digits that no double holds', () => {
    const digits = '9007199254740993';
    expect(JSON.stringify({ n: rawNumber(digits) })).to.equal(`{"n":${digits}}`);
    expect(isRawNumber(rawNumber(digits))).to.equal(true);
  });

  for (const text of ['', ' 1', '1 ', '{}', '[1]', 'x']) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(() => rawNumber(text)).to.throw(SyntaxError));
  }

  it('is no look-alike of it', () => {
    for (const value of [1, '1', null, undefined, { rawJSON: '1' }, []]) {
      expect(isRawNumber(value)).to.equal(false);
    }
  });
});

describe('jsonKind and isJsonObject', () => {
  const rows: readonly (readonly [unknown, string, boolean])[] = [
    [null, 'null', false],
    [undefined, 'null', false],
    ['', 'string', false],
    [0, 'number', false],
    [rawNumber('9007199254740993'), 'number', false],
    [false, 'bool', false],
    [[], 'array', false],
    [{}, 'object', true],
    [Object.create(null), 'object', true],
  ];
  for (const [value, kind, isObject] of rows) {
    it(`call ${JSON.stringify(value)} ${kind}`, () => {
      expect(jsonKind(value)).to.equal(kind);
      expect(isJsonObject(value)).to.equal(isObject);
    });
  }
});

describe('setOwn', () => {
  it('sets any name as own data and touches no prototype', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')), (key) => {
        const target: Record<string, unknown> = {};
        setOwn(target, key, { polluted: true });
        expect(Object.keys(target)).to.deep.equal([key]);
        expect(Object.getPrototypeOf(target)).to.equal(Object.prototype);
        setOwn(target, key, 2);
        expect(JSON.stringify(target)).to.equal(`{${JSON.stringify(key)}:2}`);
      }),
    );
  });
});

describe('copyJson', () => {
  it('is equal, in the same order, and shares nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = copyJson(value);
        expect(JSON.stringify(copy)).to.equal(JSON.stringify(value));
        if (typeof value === 'object' && value !== null) expect(copy).to.not.equal(value);
      }),
    );
  });

  it('drops undefined members and fills undefined items', () => {
    expect(copyJson({ a: undefined, b: [1, undefined], c: null })).to.deep.equal({ b: [1, null], c: null });
  });

  it('keeps raw numbers and odd names', () => {
    const value: unknown = JSON.parse('{"__proto__":{"x":1},"n":0}');
    (value as { n: unknown }).n = rawNumber('12345678901234567890');
    expect(JSON.stringify(copyJson(value))).to.equal('{"__proto__":{"x":1},"n":12345678901234567890}');
  });

  it('does not see a change of the original', () => {
    const value = { list: [{ a: 1 }] };
    const copy = copyJson(value);
    value.list.push({ a: 2 });
    expect(copy).to.deep.equal({ list: [{ a: 1 }] });
  });
});

describe('identities', () => {
  const versions: readonly (readonly [string, string, string])[] = [
    ['', 'v1', 'v1'],
    ['apps', 'v1', 'apps/v1'],
    ['networking.orch.io', 'v1beta1', 'networking.orch.io/v1beta1'],
  ];
  for (const [group, version, text] of versions) {
    it(`write and read ${text}`, () => {
      expect(formatGroupVersion(group, version)).to.equal(text);
      expect(parseGroupVersion(text)).to.deep.equal({ group, version });
    });
  }

  it('refuse two slashes, and take anything else', () => {
    expect(parseGroupVersion('a/b/c')).to.equal(undefined);
    expect(parseGroupVersion('')).to.deep.equal({ group: '', version: '' });
    expect(parseGroupVersion('apps/')).to.deep.equal({ group: 'apps', version: '' });
  });

  it('name a resource of the core group without a dot', () => {
    expect(formatGroupResource({ group: '', resource: 'pods' })).to.equal('pods');
    expect(formatGroupResource({ group: 'apps', resource: 'deployments' })).to.equal('deployments.apps');
  });
});
