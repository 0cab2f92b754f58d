import { expect } from 'chai';
import fc from 'fast-check';
import {
  createLabelRequirement,
  createLabelSelector,
  type LabelOperator,
  type LabelRequirement,
  parseLabelSelector,
  SelectorError,
} from '../../../../src/machinery/selectors/index.ts';

const key = fc.constantFrom('a', 'b', 'in', 'example.com/c', 'constructor');
const value = fc.constantFrom('', 'x', 'y', 'notin', '7', '12');
const requirement: fc.Arbitrary<LabelRequirement> = fc
  .oneof(
    fc.tuple(
      key,
      fc.constantFrom<LabelOperator>('=', '==', '!='),
      value.map((v) => [v]),
    ),
    fc.tuple(
      key,
      fc.constantFrom<LabelOperator>('in', 'notin'),
      fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
    ),
    fc.tuple(key, fc.constantFrom<LabelOperator>('exists', '!'), fc.constant<string[]>([])),
    fc.tuple(
      key,
      fc.constantFrom<LabelOperator>('>', '<'),
      fc.integer({ min: 0, max: 9 }).map((n) => [`${n}`]),
    ),
  )
  .map(([k, operator, values]) => createLabelRequirement(k, operator, values));
const labels = fc.dictionary(key, value);

/** The meaning of one condition, spelled out. */
function holds({ key: name, operator, values }: LabelRequirement, of: Record<string, string>): boolean {
  const has = Object.hasOwn(of, name);
  const isListed = has && values.includes(of[name] ?? '');
  const number = has && of[name] !== '' ? Number(of[name]) : Number.NaN;
  const meaning: Record<LabelOperator, boolean> = {
    exists: has,
    '!': !has,
    '=': isListed,
    '==': isListed,
    in: isListed,
    '!=': !isListed,
    notin: !isListed,
    '>': number > Number(values[0]),
    '<': number < Number(values[0]),
  };
  return meaning[operator];
}

describe('parseLabelSelector', () => {
  const people: Record<string, Record<string, string>> = {
    odd: { parity: 'odd', a: '' },
    even: { parity: 'even', b: 'x', n: '10' },
    none: { a: 'x', n: 'ten' },
  };
  const selections: [string, string[]][] = [
    ['', ['odd', 'even', 'none']],
    ['parity', ['odd', 'even']],
    ['!parity', ['none']],
    ['parity=odd', ['odd']],
    ['parity == odd', ['odd']],
    ['parity!=odd', ['even', 'none']],
    ['parity in (odd,even)', ['odd', 'even']],
    ['parity notin (odd)', ['even', 'none']],
    ['parity in ( )', []],
    ['a in ()', ['odd']],
    ['a in (,x)', ['odd', 'none']],
    ['a=', ['odd']],
    ['a,!b', ['odd', 'none']],
    [' a = x , n < 9 ', []],
    ['n>9', ['even']],
    ['n<11', ['even']],
    ['toString', []],
    ['!toString', ['odd', 'even', 'none']],
    ['parity=in', []],
  ];
  for (const [text, wanted] of selections) {
    it(`"${text}" selects ${wanted.join(', ') || 'none'}`, () => {
      const selector = parseLabelSelector(text);
      const selected = Object.keys(people).filter((name) => selector.matches(people[name]));
      expect(selected).to.deep.equal(wanted);
    });
  }

  const qualified =
    "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
  const failures: [string, string][] = [
    ['a b', "unable to parse requirement: found 'b', expected: '=', '!=', '==', 'in', notin'"],
    ['in (x)', "unable to parse requirement: found '(', expected: '=', '!=', '==', 'in', notin'"],
    ['x in y', "unable to parse requirement: found 'y' expected: '('"],
    ['x in (a,b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['x in (=', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['x in (,!', "unable to parse requirement: found '!', expected: ',', or identifier"],
    ['=x', "found '=', expected: !, identifier, or 'end of string'"],
    [',,', "found ',', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a=!', "unable to parse requirement: found '!', expected: identifier"],
    ['x>b', "unable to parse requirement: for 'Gt', 'Lt' operators, the value must be an integer"],
    [
      'x>9223372036854775808',
      "unable to parse requirement: for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    ['bad/key/x=1', `unable to parse requirement: invalid label key "bad/key/x": ${qualified}`],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['x notin', "unable to parse requirement: found '' expected: '('"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    [
      'a=-',
      `unable to parse requirement: invalid label value: "-": at key: "a": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    ],
  ];
  for (const [text, message] of failures) {
    it(`refuses "${text}"`, () => {
      expect(() => parseLabelSelector(text))
        .to.throw(SelectorError)
        .with.property('message', message);
    });
  }

  it('is empty only when it has no conditions', () => {
    expect(parseLabelSelector('').isEmpty).to.equal(true);
    expect(parseLabelSelector('a').isEmpty).to.equal(false);
  });

  it('reads back what it wrote', () => {
    // A single empty value in a set is written as nothing, and nothing in parentheses is read as one empty value.
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 4 }), (requirements) => {
        const text = createLabelSelector(requirements).toString();
        expect(parseLabelSelector(text).toString()).to.equal(text);
      }),
    );
  });

  it('answers with a selector or a SelectorError, whatever the text', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('a', '=', '!', '(', ')', ',', '<', '>', ' ', 'in', '\0', 'é'),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        try {
          parseLabelSelector(text).matches({ a: 'a' });
        } catch (error) {
          expect(error).to.be.instanceOf(SelectorError);
        }
      }),
    );
  });
});

describe('createLabelSelector', () => {
  it('selects what meets every condition', () => {
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 4 }), labels, (requirements, of) => {
        const wanted = requirements.every((one) => holds(one, of));
        expect(createLabelSelector(requirements).matches(of)).to.equal(wanted);
      }),
    );
  });
});
