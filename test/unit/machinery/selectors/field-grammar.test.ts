import { expect } from 'chai';
import fc from 'fast-check';
import {
  createFieldSelector,
  everyField,
  metadataFields,
  parseFieldSelector,
  resolveFieldSelector,
  SelectorError,
} from '../../../../src/machinery/selectors/index.ts';

describe('grammar of field selectors', () => {
  const canonical: readonly (readonly [text: string, written: string])[] = [
    ['a=b', 'a=b'],
    ['a==b', 'a=b'],
    ['a!=b', 'a!=b'],
    ['b=1,a=2', 'a=2,b=1'],
    ['a=', 'a='],
    ['a!=', 'a!='],
    ['=b', '=b'],
    ['a=b,', 'a=b'],
    [',,a=b,,', 'a=b'],
    [' a = b ', ' a = b '],
    ['a=b\\,c', 'a=b\\,c'],
    ['a=b\\=c', 'a=b\\=c'],
    ['a=b\\\\', 'a=b\\\\'],
    ['a=b\\\\,c=d', 'a=b\\\\,c=d'],
    ['a=é', 'a=é'],
  ];
  for (const [text, written] of canonical) {
    it(`${JSON.stringify(text)} is written as ${JSON.stringify(written)}`, () => {
      expect(parseFieldSelector(text).toString()).to.equal(written);
    });
  }

  const refused: readonly (readonly [text: string, message: string])[] = [
    ['a in (b)', "invalid selector: 'a in (b)'; can't understand 'a in (b)'"],
    ['!a', "invalid selector: '!a'; can't understand '!a'"],
    ['a===b', 'invalid field selector: unescaped character in value: 61'],
    ['a!==b', 'invalid field selector: unescaped character in value: 61'],
  ];
  for (const [text, message] of refused) {
    it(`${JSON.stringify(text)}: ${message}`, () => {
      expect(() => parseFieldSelector(text))
        .to.throw(SelectorError)
        .with.property('message', message);
    });
  }

  it('is read in one pass, however long the text', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `f${index}=v`).join(',');
    expect(parseFieldSelector(many).terms).to.have.length(50_000);
    expect(parseFieldSelector(`a=${'\\\\'.repeat(500_000)}`).terms[0]?.value).to.have.length(500_000);
    expect(() => parseFieldSelector('!'.repeat(1_000_000))).to.throw(SelectorError);
  });
});

describe('laws of field selectors', () => {
  const field = fc.constantFrom('a', 'b');
  const value = fc.constantFrom('', 'x', 'y');
  const fields = fc.dictionary(field, value, { noNullPrototype: true });

  it('a term and its opposite share nothing, and an absent field is an empty one', () => {
    fc.assert(
      fc.property(fields, field, value, (of, name, text) => {
        const one = createFieldSelector([{ field: name, isNegated: false, value: text }]);
        const other = createFieldSelector([{ field: name, isNegated: true, value: text }]);
        expect(one.matches(of)).to.equal((of[name] ?? '') === text);
        expect(other.matches(of)).to.equal(!one.matches(of));
      }),
    );
  });

  it('a required value is one that every selected object has', () => {
    const term = fc.record({ field, isNegated: fc.boolean(), value });
    fc.assert(
      fc.property(fc.array(term), fields, (terms, of) => {
        const selector = createFieldSelector(terms);
        const required = selector.requiredValue('a');
        if (required !== undefined && selector.matches(of)) expect(of.a ?? '').to.equal(required);
        if (required === undefined)
          expect(terms.every((each) => each.field !== 'a' || each.isNegated)).to.equal(true);
      }),
    );
  });
});

describe('resolveFieldSelector', () => {
  const pods = { labels: new Map([['spec.host', 'spec.nodeName'], ...metadataFields.labels]) };

  it('keeps the order and the sense of terms', () => {
    const selector = resolveFieldSelector(parseFieldSelector('metadata.name=a,spec.host!=n'), pods);
    expect(selector.toString()).to.equal('metadata.name=a,spec.nodeName!=n');
  });

  it('is the same value where there is nothing to resolve', () => {
    expect(resolveFieldSelector(everyField, pods)).to.equal(everyField);
  });

  it('drops terms that say nothing, and no others', () => {
    expect(resolveFieldSelector(parseFieldSelector('='), pods).isEmpty).to.equal(true);
    expect(() => resolveFieldSelector(parseFieldSelector('=x'), pods)).to.throw(
      'field label not supported: ',
    );
    expect(() => resolveFieldSelector(parseFieldSelector('x='), pods)).to.throw(
      'field label not supported: x',
    );
  });

  it('quotes what it does not know', () => {
    expect(() => resolveFieldSelector(parseFieldSelector('a"b=1'), metadataFields)).to.throw(
      SelectorError,
      '"a\\"b" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });
});
