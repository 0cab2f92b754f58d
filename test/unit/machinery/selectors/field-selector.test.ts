import { expect } from 'chai';
import fc from 'fast-check';
import {
  createFieldSelector,
  escapeFieldValue,
  metadataFields,
  parseFieldSelector,
  resolveFieldSelector,
  SelectorError,
  unescapeFieldValue,
} from '../../../../src/machinery/selectors/index.ts';

describe('parseFieldSelector', () => {
  const fields = { 'metadata.name': 'a', 'spec.nodeName': '' };
  const cases: [string, boolean][] = [
    ['', true],
    [',', true],
    ['metadata.name=a', true],
    ['metadata.name==a', true],
    ['metadata.name!=a', false],
    ['metadata.name=a,metadata.name=b', false],
    ['metadata.name=a,spec.nodeName=', true],
    ['status.phase=', true],
    ['status.phase!=', false],
    ['toString=', true],
    ['metadata.name=A', false],
  ];
  for (const [text, wanted] of cases) {
    it(`"${text}" ${wanted ? 'selects' : 'does not select'} the object`, () => {
      expect(parseFieldSelector(text).matches(fields)).to.equal(wanted);
    });
  }

  const failures: [string, string][] = [
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=b,c', "invalid selector: 'a=b,c'; can't understand 'c'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ];
  for (const [text, message] of failures) {
    it(`refuses "${text}"`, () => {
      expect(() => parseFieldSelector(text))
        .to.throw(SelectorError)
        .with.property('message', message);
    });
  }

  it('takes escaped characters literally', () => {
    expect(parseFieldSelector('a=x\\,y\\=z\\\\').terms).to.deep.equal([
      { field: 'a', isNegated: false, value: 'x,y=z\\' },
    ]);
  });

  it('reads back what it wrote', () => {
    const term = fc.record({
      field: fc.constantFrom('a', 'b.c'),
      isNegated: fc.boolean(),
      value: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(term), (terms) => {
        const text = createFieldSelector(terms).toString();
        const again = parseFieldSelector(text);
        expect(again.terms).to.have.deep.members(terms);
        expect(parseFieldSelector(again.toString()).toString()).to.equal(again.toString());
      }),
    );
  });

  it('names the value that an index can look up', () => {
    const selector = parseFieldSelector('metadata.name=a,metadata.namespace!=x');
    expect(selector.requiredValue('metadata.name')).to.equal('a');
    expect(selector.requiredValue('metadata.namespace')).to.equal(undefined);
    expect(selector.isEmpty).to.equal(false);
  });
});

describe('escapeFieldValue', () => {
  it('is undone by unescapeFieldValue', () => {
    fc.assert(fc.property(fc.string(), (text) => unescapeFieldValue(escapeFieldValue(text)) === text));
  });
});

describe('resolveFieldSelector', () => {
  const podFields = { labels: new Map([...metadataFields.labels, ['spec.host', 'spec.nodeName']]) };

  it('replaces aliases by the fields that they mean', () => {
    const selector = resolveFieldSelector(parseFieldSelector('spec.host=n1'), podFields);
    expect(selector.requiredValue('spec.nodeName')).to.equal('n1');
  });

  it('names the known labels when a kind has only the common ones', () => {
    expect(() => resolveFieldSelector(parseFieldSelector('data.x=1'), metadataFields)).to.throw(
      '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  it('refuses other labels of kinds with their own', () => {
    expect(() => resolveFieldSelector(parseFieldSelector('spec.x=1'), podFields)).to.throw(
      'field label not supported: spec.x',
    );
  });
});
