import { expect } from 'chai';
import fc from 'fast-check';
import { readBrackets, readFilterText } from '../../../../src/machinery/jsonpath/brackets.ts';
import { Scanner } from '../../../../src/machinery/jsonpath/scanner.ts';
import { JsonPathError, type Step } from '../../../../src/machinery/jsonpath/syntax.ts';

/** Hands parts on as they are. */
const asText = (text: string): readonly Step[] => [{ kind: 'text', text }];

/** Reads `[...]`, as the parser does once it has seen the bracket; `rest` is what it would go on with. */
function brackets(text: string) {
  const scanner = new Scanner(text);
  scanner.next();
  return { steps: readBrackets(scanner, asText), rest: scanner.peek() };
}

const slice = (
  start: number | undefined,
  end: number | undefined,
  { stride, isIndex = false }: { stride?: number; isIndex?: boolean } = {},
): Step => ({ kind: 'slice', start, end, stride, isIndex });

describe('readBrackets', () => {
  const rows: readonly (readonly [text: string, steps: readonly Step[]])[] = [
    ['[0]', [slice(0, 1, { isIndex: true })]],
    ['[12]', [slice(12, 13, { isIndex: true })]],
    // The end of the last one is that of the list.
    ['[-1]', [slice(-1, 0, { isIndex: true })]],
    ['[-3]', [slice(-3, -2, { isIndex: true })]],
    // Nothing counts as the first.
    ['[]', [slice(undefined, 1, { isIndex: true })]],
    ['[*]', [slice(undefined, undefined)]],
    ['[:]', [slice(undefined, undefined)]],
    ['[1:]', [slice(1, undefined)]],
    ['[:2]', [slice(undefined, 2)]],
    ['[1:3]', [slice(1, 3)]],
    ['[-3:-1]', [slice(-3, -1)]],
    ['[0:0]', [slice(0, 0)]],
    ['[::2]', [slice(undefined, undefined, { stride: 2 })]],
    ['[1:9:3]', [slice(1, 9, { stride: 3 })]],
    ['[1:9:]', [slice(1, 9)]],
    ['[::0]', [slice(undefined, undefined, { stride: 0 })]],
    ["['a']", asText('.a')],
    ["['']", asText('.')],
    // A key is a path: its dots lead further unless they are escaped.
    ["['a.b']", asText('.a.b')],
    ["['a\\.b/c']", asText('.a\\.b/c')],
    ["['é 😀']", asText('.é 😀')],
  ];
  for (const [text, steps] of rows) {
    it(`reads ${text}`, () => expect(brackets(text)).to.deep.equal({ steps, rest: '' }));
  }

  const unions: readonly (readonly [text: string, members: readonly string[]])[] = [
    ['[0,2]', ['[0]', '[2]']],
    ["['a', 'b' ,'c']", ["['a']", "['b']", "['c']"]],
    ['[1:2,-1]', ['[1:2]', '[-1]']],
    ['[,]', ['[]', '[]']],
    ['[*,0]', ['[*]', '[0]']],
    // Commas part what stands between quotes too, as in the release.
    ["['a,b']", ["['a]", "[b']"]],
    // Spaces only are cut off.
    ['[0,\t1]', ['[0]', '[\t1]']],
  ];
  for (const [text, members] of unions) {
    it(`takes ${JSON.stringify(text)} for several`, () =>
      expect(brackets(text).steps).to.deep.equal([{ kind: 'union', members: members.map(asText) }]));
  }

  it('ends at the first closing bracket', () => {
    expect(brackets('[0][1]')).to.deep.equal({ steps: [slice(0, 1, { isIndex: true })], rest: '[' });
    expect(brackets("['a'].b").rest).to.equal('.');
  });

  const wrong: readonly (readonly [text: string, problem: string])[] = [
    ['[', 'unterminated array'],
    ['[0', 'unterminated array'],
    ['[0\n]', 'unterminated array'],
    ['[a]', 'invalid array index a'],
    ['["a"]', 'invalid array index "a"'],
    ["['a]", "invalid array index 'a"],
    ["['a''b']", "invalid array index 'a''b'"],
    ['[ 0]', 'invalid array index  0'],
    ['[1.5]', 'invalid array index 1.5'],
    ['[1:2:3:4]', 'invalid array index 1:2:3:4'],
    ['[+1]', 'invalid array index +1'],
    ['[٣]', 'invalid array index ٣'],
    ['[0x1]', 'invalid array index 0x1'],
    ['[--1]', 'invalid array index --1'],
    ['[-]', 'array index - is not a number'],
    ['[1:-]', 'array index - is not a number'],
    ['[::-]', 'array index - is not a number'],
    ['[99999999999999999999]', 'array index 99999999999999999999 is not a number'],
    ['[0:99999999999999999999]', 'array index 99999999999999999999 is not a number'],
  ];
  for (const [text, problem] of wrong) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => brackets(text))
        .to.throw(JsonPathError)
        .with.property('message', problem);
    });
  }

  it('reads every slice that it is given', () => {
    const bound = fc.option(fc.integer(), { nil: undefined });
    fc.assert(
      fc.property(bound, bound, bound, (start, end, stride) => {
        const text = `[${start ?? ''}:${end ?? ''}:${stride ?? ''}]`;
        expect(brackets(text).steps).to.deep.equal([
          slice(start, end, stride === undefined ? {} : { stride }),
        ]);
      }),
    );
  });

  it('reads any text or says what is wrong', () => {
    const unit = fc.constantFrom(...'0189-:,*\'" ]\n.a\\é😀@$?()');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        try {
          expect(brackets(`[${text}`).steps).to.have.lengthOf(1);
        } catch (error) {
          expect(error).to.be.instanceOf(JsonPathError);
        }
      }),
    );
  });
});

describe('readFilterText', () => {
  const read = (text: string) => {
    const scanner = new Scanner(text);
    return { filter: readFilterText(scanner, asText), rest: scanner.peek() };
  };

  const comparisons: readonly (readonly [text: string, left: string, operator: string, right: string])[] = [
    ['[?(@.a==1)]', '@.a', '==', '1'],
    ['[?(@.a != "x")]', '@.a ', '!=', ' "x"'],
    ['[?(@.a<=@.b)]', '@.a', '<=', '@.b'],
    // Which operators there are shows when the template is used.
    ['[?(@.a<>1)]', '@.a', '<>', '1'],
    ['[?(@.a=1)]', '@.a', '=', '1'],
    ['[?(@.a===1)]', '@.a', '===', '1'],
    // A parenthesis and a bracket between quotes end nothing.
    ['[?(@.a=="(x)]")]', '@.a', '==', '"(x)]"'],
    ["[?(@.a=='x)')]", '@.a', '==', "'x)'"],
    ['[?(@.a=="it\'s)")]', '@.a', '==', '"it\'s)"'],
    ['[?(@.a=="\\")")]', '@.a', '==', '"\\")"'],
    // The first operator parts the sides, also one between quotes.
    ['[?(@.a=="b=c")]', '@.a', '==', '"b=c"'],
    ['[?("b=c"==@.a)]', '"b', '=', 'c"==@.a'],
    // Where nothing follows, the last sign is the right side.
    ['[?(@.a==)]', '@.a', '=', '='],
  ];
  for (const [text, left, operator, right] of comparisons) {
    it(`parts ${text} at ${operator}`, () =>
      expect(read(text)).to.deep.equal({
        filter: { kind: 'filter', left: asText(left), operator, right: asText(right) },
        rest: '',
      }));
  }

  const existences = ['@.a', '@.a.b', '', '==1', '@.a!'];
  for (const inner of existences) {
    it(`takes ${JSON.stringify(inner)} for a question whether there is one`, () =>
      expect(read(`[?(${inner})]`).filter).to.deep.equal({
        kind: 'filter',
        left: asText(inner),
        operator: 'exists',
        right: [],
      }));
  }

  it('ends behind its bracket', () => expect(read('[?(@.a)].b').rest).to.equal('.'));

  const wrong: readonly (readonly [text: string, problem: string])[] = [
    ['[?(', 'unterminated filter'],
    ['[?(@.a==1', 'unterminated filter'],
    ['[?(@.a\n)]', 'unterminated filter'],
    ['[?(@.a==")]', 'unterminated filter'],
    ['[?(@.a=="x\')]', 'unterminated filter'],
    ['[?(@.a)', 'unclosed array expect ]'],
    ['[?(@.a) ]', 'unclosed array expect ]'],
    ['[?((@.a))]', 'unclosed array expect ]'],
    // Only the first quoted text is looked through.
    ['[?("a"==")")]', 'unclosed array expect ]'],
  ];
  for (const [text, problem] of wrong) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => read(text))
        .to.throw(JsonPathError)
        .with.property('message', problem);
    });
  }
});
