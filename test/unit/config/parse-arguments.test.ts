import { expect } from 'chai';
import fc from 'fast-check';
import { type OptionSpec, OptionsError, parseArguments, readArguments } from '../../../src/config/index.ts';
import { plainPhrases } from '../../../src/config/phrases.ts';
import { typedParsers } from '../../../src/config/typed-values/index.ts';

const section = 'Test';
const specs: readonly OptionSpec[] = [
  {
    name: 'dry-run',
    type: 'string',
    impliedValue: 'client',
    allowed: ['none', 'client', 'server'],
    section,
    help: '',
  },
  { name: 'force', short: 'f', type: 'bool', section, help: '' },
  { name: 'all', short: 'A', type: 'bool', section, help: '' },
  { name: 'namespace', short: 'n', type: 'string', section, help: '' },
  { name: 'v', short: 'v', type: 'count', section, help: '' },
  { name: 'secure-port', type: 'int', min: 0, max: 65535, section, help: '' },
  { name: 'timeout', type: 'duration', min: 1, section, help: '' },
  { name: 'list', type: 'strings', section, help: '' },
  { name: 'literal', type: 'stringArray', section, help: '' },
  { name: 'gates', type: 'mapStringBool', section, help: '' },
  { name: 'labels', type: 'mapStringString', loneValue: 'true', section, help: '' },
  { name: 'address', type: 'ip', parser: typedParsers.ip, section, help: '' },
  { name: 'ranges', type: 'cidrs', parser: typedParsers.cidrs, section, help: '' },
  { name: 'ports', type: 'portRange', section, help: '' },
  { name: 'ratio', type: 'float', section, help: '' },
  { name: 'memory', type: 'quantity', parser: typedParsers.quantity, section, help: '' },
];

function problemsOf(argv: readonly string[]): readonly string[] {
  try {
    parseArguments(specs, argv);
    return [];
  } catch (error) {
    if (error instanceof OptionsError) return error.problems;
    throw error;
  }
}

describe('parseArguments', () => {
  it('says where the dashes stood', () => {
    const argv = ['a', '-f', '--', '-f', '--'];
    const { positionals, dashesAt } = parseArguments(specs, argv);
    expect({ positionals, dashesAt }).to.deep.equal({ positionals: ['a', '-f', '--'], dashesAt: 1 });
    expect(parseArguments(specs, ['--', 'a']).dashesAt).to.equal(0);
    expect(parseArguments(specs, ['a', 'b']).dashesAt).to.equal(undefined);
  });

  const accepted: readonly (readonly [argv: string[], name: string, value: unknown])[] = [
    [['--force'], 'force', true],
    [['--force=false'], 'force', false],
    [['--force=T'], 'force', true],
    [['-f'], 'force', true],
    [['-f=false'], 'force', false],
    [['--namespace', 'a'], 'namespace', 'a'],
    [['--namespace=a=b'], 'namespace', 'a=b'],
    [['--namespace='], 'namespace', ''],
    [['-n', 'a'], 'namespace', 'a'],
    [['-na'], 'namespace', 'a'],
    [['-n=a'], 'namespace', 'a'],
    [['-fAn', 'a'], 'namespace', 'a'],
    [['-fAna'], 'all', true],
    [['-v3'], 'v', 3],
    [['-v=3'], 'v', 3],
    [['-v', '3'], 'v', 3],
    [['--v=3'], 'v', 3],
    [['--v', '3'], 'v', 3],
    [['-vvv'], 'v', 3],
    [['-fv2'], 'v', 2],
    [['--secure_port=80'], 'secure-port', 80],
    [['--secure-port', '80', '--secure-port', '81'], 'secure-port', 81],
    [['--timeout=1m30s'], 'timeout', 90_000],
    [['--timeout=1.5h'], 'timeout', 5_400_000],
    [['--dry-run'], 'dry-run', 'client'],
    [['--dry-run=server'], 'dry-run', 'server'],
    [['--list=a,b', '--list=c'], 'list', ['a', 'b', 'c']],
    [['--list=a,"b,""c"""'], 'list', ['a', 'b,"c"']],
    [['--list='], 'list', []],
    [['--literal=a,b', '--literal=c'], 'literal', ['a,b', 'c']],
    [['--address=::1'], 'address', '::1'],
    [['--ranges=10.0.0.0/24,fd00::/108'], 'ranges', ['10.0.0.0/24', 'fd00::/108']],
    [['--ranges=10.0.0.0/24', '--ranges=10.1.0.0/24'], 'ranges', ['10.1.0.0/24']],
    [['--ports=30000-32767'], 'ports', { first: 30000, last: 32767 }],
    [['--ports=30000+100'], 'ports', { first: 30000, last: 30100 }],
    [['--ratio=0.02'], 'ratio', 0.02],
    [['--memory=1.5Gi'], 'memory', '1.5Gi'],
  ];
  for (const [argv, name, value] of accepted) {
    it(`reads ${argv.join(' ')}`, () => {
      expect(parseArguments(specs, argv).values[name]).to.deep.equal(value);
    });
  }

  it('reads maps, of texts also with true for a name alone, and merges repetitions', () => {
    const { values } = parseArguments(specs, ['--gates=A=false,B=1', '--gates=A=true', '--labels=a=b=c,d']);
    expect({ ...(values.gates as object) }).to.deep.equal({ A: true, B: true });
    expect({ ...(values.labels as object) }).to.deep.equal({ a: 'b=c', d: 'true' });
  });

  it('keeps dangerous map keys as plain entries', () => {
    const { values } = parseArguments(specs, ['--labels=__proto__=x']);
    expect(Object.keys(values.labels as object)).to.deep.equal(['__proto__']);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });

  it('takes arguments among the flags, and everything after two dashes, as positionals', () => {
    const { positionals, values } = parseArguments(specs, [
      'get',
      '-f',
      'pods',
      '-',
      '--',
      '-n',
      '--force=x',
    ]);
    expect(positionals).to.deep.equal(['get', 'pods', '-', '-n', '--force=x']);
    expect(values).to.deep.equal(Object.assign(Object.create(null), { force: true }));
  });

  it('stops at the first positional when asked to', () => {
    const { positionals } = parseArguments(specs, ['-f', 'exec', '-n', 'x'], { stopAtPositional: true });
    expect(positionals).to.deep.equal(['exec', '-n', 'x']);
  });

  it('takes names in another spelling through translateName', () => {
    const translateName = (name: string) => name.replace('endpoint', 'address');
    expect(parseArguments(specs, ['--endpoint=::1'], { translateName }).values.address).to.equal('::1');
  });

  it('says which options were given, even with the value of their default', () => {
    expect([...parseArguments(specs, ['--force=false', '-v']).given]).to.deep.equal(['force', 'v']);
  });

  const refused: readonly (readonly [argv: string[], problem: string])[] = [
    [['--secur-port=1'], 'unknown flag: --secur-port; did you mean --secure-port?'],
    [['--wholly-unlike'], 'unknown flag: --wholly-unlike'],
    [['-x'], "unknown shorthand flag: 'x' in -x"],
    [['-fx'], "unknown shorthand flag: 'x' in -fx"],
    [['-force'], "unknown shorthand flag: 'o' in -force; did you mean --force?"],
    [['--namespace'], 'flag needs an argument: --namespace'],
    [['-n'], "flag needs an argument: 'n' in -n"],
    [['--force=maybe'], '--force=maybe: must be true or false'],
    [['--secure-port=x'], '--secure-port=x: must be a whole number'],
    [['--secure-port=1.5'], '--secure-port=1.5: must be a whole number'],
    [['--secure-port=70000'], '--secure-port=70000: must be at most 65535'],
    [['--secure-port=-1'], '--secure-port=-1: must be at least 0'],
    [['--timeout=5'], '--timeout=5: must be a duration with its unit, such as 30s, 5m or 1h'],
    [['--timeout=0s'], '--timeout=0s: must be at least 1ms'],
    [['--dry-run=maybe'], '--dry-run=maybe: must be one of none, client, server'],
    [['--address=localhost'], '--address=localhost: must be an IP address'],
    [['--ranges=10.0.0.0/33'], '--ranges=10.0.0.0/33: "10.0.0.0/33" must be a network such as 10.0.0.0/24'],
    [['--ports=5-4'], '--ports=5-4: must not end before it starts'],
    [['--ports=1-70000'], '--ports=1-70000: must not go beyond port 65535'],
    [['--gates=A=maybe'], '--gates=A=maybe: the value of A must be true or false'],
    [['--gates=A'], '--gates=A: the value of A is missing'],
    [['--labels==x'], '--labels==x: "=x" has no name before the equals sign'],
    [['--ratio=NaN'], '--ratio=NaN: must be a number'],
    [['--memory=1GiB'], '--memory=1GiB: must be a quantity such as 500m or 1Gi'],
    [['--address=a b'], '--address="a b": must be an IP address'],
  ];
  for (const [argv, problem] of refused) {
    it(`refuses ${argv.join(' ')}`, () => {
      expect(problemsOf(argv)).to.deep.equal([problem]);
    });
  }

  it('reports all problems of a line together', () => {
    expect(problemsOf(['--nonsense', '--secure-port=x', 'word', '--force=2', '-n'])).to.have.length(4);
  });

  it('never throws anything but OptionsError, whatever the line', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('--', '-', '-v', '--force', '--list=', '--gates=', '-n', '--ports=', '=', '--=', '-='),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (argv) => {
        expect(problemsOf(argv)).to.be.an('array');
      }),
    );
  });

  it('gives back what was written, in every form of writing it', () => {
    const name = fc.constantFrom('--namespace=', '--namespace ', '-n', '-n=', '-n ');
    const value = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.startsWith('='));
    fc.assert(
      fc.property(name, value, (written, text) => {
        const argv = written.endsWith(' ') ? [written.trim(), text] : [written + text];
        expect(parseArguments(specs, argv).values.namespace).to.equal(text);
      }),
    );
  });

  it('does not let the order of different options matter', () => {
    const flags = [['--force'], ['--namespace', 'a'], ['-v2'], ['--list=a,b'], ['--secure-port=1']];
    fc.assert(
      fc.property(fc.shuffledSubarray(flags, { minLength: flags.length }), (shuffled) => {
        expect(parseArguments(specs, shuffled.flat()).values).to.deep.equal(
          parseArguments(specs, flags.flat()).values,
        );
      }),
    );
  });

  it("says what is wrong in a program's own words", () => {
    const phrases = {
      ...plainPhrases,
      unknownFlag: (written: string) => `no ${written}`,
      unknownLetter: (letter: string, cluster: string) => `no ${letter} in ${cluster}`,
      missingValue: (written: string) => `nothing for ${written}`,
    };
    const { problems } = readArguments(specs, ['--forse', '-fxn', '-list', '--namespace'], { phrases });
    expect(problems).to.deep.equal([
      { text: 'no --forse', advice: 'did you mean --force?' },
      { text: 'no x in -fxn' },
      { text: 'no l in -list', advice: 'did you mean --list?' },
      { text: 'nothing for --namespace' },
    ]);
  });
});
