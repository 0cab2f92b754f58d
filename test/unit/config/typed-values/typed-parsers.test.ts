import { expect } from 'chai';
import fc from 'fast-check';
import { typedParsers, valueKind } from '../../../../src/config/typed-values/typed-parsers.ts';
import { plainValuePhrases } from '../../../../src/config/values/value-phrases.ts';

type Type = keyof typeof typedParsers;

/** The value of a text, or what is wrong with it. */
function read(type: Type, text: string): unknown {
  const parsed = typedParsers[type](text, plainValuePhrases);
  return 'problem' in parsed ? `problem: ${parsed.problem}` : parsed.value;
}

const long = 'x'.repeat(64);
const value63 = 'x'.repeat(63);
const badLabel =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const badName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe('typedParsers', () => {
  describe('taints', () => {
    const taint = (key: string, value: string, effect: string) => ({ key, value, effect });
    const accepted: readonly [string, readonly object[]][] = [
      ['', []],
      ['a=b:NoSchedule', [taint('a', 'b', 'NoSchedule')]],
      ['a:NoExecute', [taint('a', '', 'NoExecute')]],
      ['a=:PreferNoSchedule', [taint('a', '', 'PreferNoSchedule')]],
      ['a', [taint('a', '', '')]],
      ['x.y/a=b_c.d:NoSchedule', [taint('x.y/a', 'b_c.d', 'NoSchedule')]],
      ['a:NoSchedule,a:NoExecute', [taint('a', '', 'NoSchedule'), taint('a', '', 'NoExecute')]],
      [`a=${value63}:NoSchedule`, [taint('a', value63, 'NoSchedule')]],
    ];
    for (const [text, taints] of accepted)
      it(`reads "${text.slice(0, 40)}"`, () => expect(read('taints', text)).to.deep.equal(taints));

    const refused: readonly [string, string][] = [
      ['a=b:Sometimes', 'invalid taint effect: Sometimes, unsupported taint effect'],
      ['a=b:noschedule', 'invalid taint effect: noschedule, unsupported taint effect'],
      ['a=b:', 'invalid taint effect: , unsupported taint effect'],
      ['a=b:NoSchedule:NoExecute', 'invalid taint spec: a=b:NoSchedule:NoExecute'],
      ['a=b=c:NoSchedule', 'invalid taint spec: a=b=c:NoSchedule'],
      ['a=b', `invalid taint spec: a=b, ${badName}`],
      [':NoSchedule', `invalid taint spec: :NoSchedule, name part must be non-empty; ${badName}`],
      ['-a:NoSchedule', `invalid taint spec: -a:NoSchedule, ${badName}`],
      ['a=-b:NoSchedule', `invalid taint spec: a=-b:NoSchedule, ${badLabel}`],
      [
        `a=${long}:NoSchedule`,
        `invalid taint spec: a=${long}:NoSchedule, must be no more than 63 characters`,
      ],
      ['a:NoSchedule,', `invalid taint spec: , name part must be non-empty; ${badName}`],
      ['a:NoSchedule, b:NoSchedule', `invalid taint spec:  b:NoSchedule, ${badName}`],
    ];
    for (const [text, problem] of refused) {
      it(`refuses "${text.slice(0, 40)}"`, () => {
        expect(read('taints', text)).to.equal(`problem: ${problem}`);
      });
    }

    it('tells of one thing at a time: the effect, then the form, then the value, then the key', () => {
      expect(read('taints', '-a=-b=c:Never')).to.contain('invalid taint effect: Never');
      expect(read('taints', '-a=-b=c:NoExecute')).to.equal('problem: invalid taint spec: -a=-b=c:NoExecute');
      expect(read('taints', '-a=-b:NoExecute')).to.equal(
        `problem: invalid taint spec: -a=-b:NoExecute, ${badLabel}`,
      );
    });

    it('tells of the first taint that is none', () => {
      expect(read('taints', 'a:NoSchedule,b:One,c:Two')).to.contain('invalid taint effect: One');
    });

    it('reads what it would write', () => {
      const word = fc.stringMatching(/^[a-z0-9]([-a-z0-9_.]{0,20}[a-z0-9])?$/);
      const one = fc.tuple(word, fc.oneof(fc.constant(''), word), fc.constantFrom('NoSchedule', 'NoExecute'));
      fc.assert(
        fc.property(fc.array(one, { maxLength: 5 }), (list) => {
          const text = list.map(([key, value, effect]) => `${key}=${value}:${effect}`).join(',');
          expect(read('taints', text)).to.deep.equal(
            list.map(([key, value, effect]) => taint(key, value, effect)),
          );
        }),
      );
    });
  });

  const cases: readonly [Type, text: string, value: unknown][] = [
    ['ip', '10.0.0.1', '10.0.0.1'],
    ['ip', '::1', '::1'],
    ['ip', '::ffff:10.0.0.1', '::ffff:10.0.0.1'],
    ['ip', '', 'problem: must be an IP address'],
    ['ip', '10.0.0', 'problem: must be an IP address'],
    ['ip', '10.0.0.256', 'problem: must be an IP address'],
    ['ip', '10.0.0.1/8', 'problem: must be an IP address'],
    ['ip', 'localhost', 'problem: must be an IP address'],
    ['cidrs', '10.0.0.0/24', ['10.0.0.0/24']],
    ['cidrs', '10.0.0.7/24,fd00::/64', ['10.0.0.7/24', 'fd00::/64']],
    ['cidrs', '0.0.0.0/0', ['0.0.0.0/0']],
    ['cidrs', '10.0.0.0', 'problem: "10.0.0.0" must be a network such as 10.0.0.0/24'],
    ['cidrs', '10.0.0.0/33', 'problem: "10.0.0.0/33" must be a network such as 10.0.0.0/24'],
    ['cidrs', '10.0.0.0/8,fd00::/129', 'problem: "fd00::/129" must be a network such as 10.0.0.0/24'],
    ['cidrs', '10.0.0.0/-1', 'problem: "10.0.0.0/-1" must be a network such as 10.0.0.0/24'],
    ['quantity', '500m', '500m'],
    ['quantity', '1024Ki', '1024Ki'],
    ['quantity', '1e3', '1e3'],
    ['quantity', '', 'problem: must be a quantity such as 500m or 1Gi'],
    ['quantity', '1 Gi', 'problem: must be a quantity such as 500m or 1Gi'],
    ['quantity', '1GiB', 'problem: must be a quantity such as 500m or 1Gi'],
    ['severity', 'INFO', 0],
    ['severity', 'warning', 1],
    ['severity', 'Error', 2],
    ['severity', 'FATAL', 3],
    ['severity', '2', 2],
    ['severity', 'loud', 'problem: must be a whole number'],
    ['severity', '2147483648', 'problem: must be a whole number'],
    ['traceLocation', '', ''],
    ['traceLocation', 'file.go:234', 'file.go:234'],
    ['traceLocation', 'a.b.c:1', 'a.b.c:1'],
    ['traceLocation', 'file.go', 'problem: syntax error: expect file.go:234'],
    ['traceLocation', 'file:1', 'problem: syntax error: expect file.go:234'],
    ['traceLocation', 'file.go:1:2', 'problem: syntax error: expect file.go:234'],
    ['traceLocation', 'file.go:', 'problem: syntax error: expect file.go:234'],
    ['traceLocation', 'file.go:x', 'problem: syntax error: expect file.go:234'],
    ['traceLocation', 'file.go:0', 'problem: negative or zero value for level'],
    ['traceLocation', 'file.go:-3', 'problem: negative or zero value for level'],
    ['moduleSpec', '', ''],
    ['moduleSpec', 'file=2', 'file=2'],
    ['moduleSpec', 'a*=2,b?=0,', 'a*=2,b?=0,'],
    ['moduleSpec', 'file', 'problem: syntax error: expect comma-separated list of filename=N'],
    ['moduleSpec', 'file=', 'problem: syntax error: expect comma-separated list of filename=N'],
    ['moduleSpec', '=2', 'problem: syntax error: expect comma-separated list of filename=N'],
    ['moduleSpec', 'a=1=2', 'problem: syntax error: expect comma-separated list of filename=N'],
    ['moduleSpec', 'a=1,b', 'problem: syntax error: expect comma-separated list of filename=N'],
    ['moduleSpec', 'a=-1', 'problem: negative value for vmodule level'],
  ];
  for (const [type, text, value] of cases) {
    const isProblem = typeof value === 'string' && value.startsWith('problem');
    it(`${isProblem ? 'refuses' : 'reads'} "${text}" as ${type}`, () => {
      expect(read(type, text)).to.deep.equal(value);
    });
  }

  it('tells what is no number in a level of a module', () => {
    expect(read('moduleSpec', 'a=x')).to.match(
      /^problem: syntax error: expect comma-separated list of filename=N/,
    );
  });

  it('never throws, whatever the text', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'a0=:,/.-+ %"\0ü🦊', '\ud800'), maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(typedParsers)), hostile, (type, text) => {
        read(type as Type, text); // a key of the table
      }),
    );
  });
});

describe('valueKind', () => {
  it('brings the parser of the types that need one, and of no others', () => {
    expect(valueKind('taints')).to.deep.equal({ type: 'taints', parser: typedParsers.taints });
    expect(valueKind('bool')).to.deep.equal({ type: 'bool' });
  });
});
