import { expect } from 'chai';
import fc from 'fast-check';
import {
  isCIdentifier,
  isConfigMapKey,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isEnvVarName,
  isHttpHeaderName,
  isInRange,
  isLabelValue,
  isQualifiedName,
  isValidGroupId,
  isValidPercent,
  isValidPortNumber,
  isValidUserId,
  isWildcardDns1123Subdomain,
  maxLengthMessage,
} from '../../../../src/machinery/formats/index.ts';

type Check = (text: string) => string[];

/** What a format allows, said without an expression. */
interface Rule {
  readonly name: string;
  readonly check: Check;
  readonly first: string;
  readonly inner: string;
  readonly last: string;
  readonly maxBytes: number;
  readonly allowsEmpty?: true;
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const letters = lower + lower.toUpperCase();
const alphanumeric = letters + digits;
const rules: readonly Rule[] = [
  {
    name: 'isDns1123Label',
    check: isDns1123Label,
    first: lower + digits,
    inner: `${lower}${digits}-`,
    last: lower + digits,
    maxBytes: 63,
  },
  {
    name: 'isDns1035Label',
    check: isDns1035Label,
    first: lower,
    inner: `${lower}${digits}-`,
    last: lower + digits,
    maxBytes: 63,
  },
  {
    name: 'isLabelValue',
    check: isLabelValue,
    first: alphanumeric,
    inner: `${alphanumeric}-_.`,
    last: alphanumeric,
    maxBytes: 63,
    allowsEmpty: true,
  },
  {
    name: 'isQualifiedName',
    check: isQualifiedName,
    first: alphanumeric,
    inner: `${alphanumeric}-_.`,
    last: alphanumeric,
    maxBytes: 63,
  },
  {
    name: 'isConfigMapKey',
    check: isConfigMapKey,
    first: `${alphanumeric}-_`,
    inner: `${alphanumeric}-_.`,
    last: `${alphanumeric}-_.`,
    maxBytes: 253,
  },
  {
    name: 'isEnvVarName',
    check: isEnvVarName,
    first: `${letters}-_`,
    inner: `${alphanumeric}-_.`,
    last: `${alphanumeric}-_.`,
    maxBytes: Number.POSITIVE_INFINITY,
  },
  {
    name: 'isCIdentifier',
    check: isCIdentifier,
    first: `${letters}_`,
    inner: `${alphanumeric}_`,
    last: `${alphanumeric}_`,
    maxBytes: Number.POSITIVE_INFINITY,
  },
  {
    name: 'isHttpHeaderName',
    check: isHttpHeaderName,
    first: `${alphanumeric}-`,
    inner: `${alphanumeric}-`,
    last: `${alphanumeric}-`,
    maxBytes: Number.POSITIVE_INFINITY,
  },
];

describe('formats, character by character', () => {
  for (const { name, check, first, inner, last, maxBytes, allowsEmpty } of rules) {
    const isFine = (text: string): boolean => {
      if (text === '') return allowsEmpty === true;
      const characters = [...text];
      return (
        Buffer.byteLength(text) <= maxBytes &&
        first.includes(characters.at(0) ?? '') &&
        (characters.length === 1 ? first : last).includes(characters.at(-1) ?? '') &&
        characters.slice(1, -1).every((character) => inner.includes(character))
      );
    };

    it(`${name} takes each character of ASCII in the places where it may stand`, () => {
      for (let code = 0; code < 128; code++) {
        const character = String.fromCharCode(code);
        // Elsewhere they name folders, or what stands before a name.
        if (character === '/' || (character === '.' && !inner.includes('-_.'))) continue;
        for (const text of [`${character}x`, `x${character}x`, `x${character}`]) {
          if (text.startsWith('.')) continue;
          expect(check(text).length === 0, JSON.stringify(text)).to.equal(isFine(text));
        }
      }
    });

    it(`${name} refuses what lies beyond ASCII, line ends and nothing at all as it should`, () => {
      for (const text of ['é', 'xéx', 'x\n', '\nx', 'x\nx', '😀', 'ａ', 'K', '']) {
        expect(check(text).length === 0, JSON.stringify(text)).to.equal(isFine(text));
      }
    });

    if (Number.isFinite(maxBytes)) {
      it(`${name} ends at ${maxBytes} bytes`, () => {
        expect(check('a'.repeat(maxBytes))).to.deep.equal([]);
        const [problem] = check('a'.repeat(maxBytes + 1));
        expect(problem?.endsWith(maxLengthMessage(maxBytes)), problem).to.equal(true);
      });
    }

    it(`${name} takes a text as large as a request at once`, () => {
      for (const text of ['a', '-', '.', 'a-', 'a.', '0'].map((part) => part.repeat(300_000))) {
        check(text);
        expect(check(`${text}!`)).to.not.deep.equal([]);
      }
    });
  }
});

describe('subdomains', () => {
  it('are labels joined by dots', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '1', '-', 'B', '_'), maxLength: 4 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.join('.');
        const isFine = parts.every((each) => isDns1123Label(each).length === 0);
        expect(isDns1123Subdomain(text).length === 0).to.equal(isFine);
        expect(isWildcardDns1123Subdomain(`*.${text}`).length === 0).to.equal(isFine);
        expect(isWildcardDns1123Subdomain(text)).to.not.deep.equal([]);
      }),
    );
  });

  it('have parts of any length, and 253 bytes together', () => {
    expect(isDns1123Subdomain('a'.repeat(253))).to.deep.equal([]);
    expect(isDns1123Subdomain('a.'.repeat(127))).to.have.length(2);
    expect(isWildcardDns1123Subdomain(`*.${'a'.repeat(251)}`)).to.deep.equal([]);
    expect(isWildcardDns1123Subdomain(`*.${'a'.repeat(252)}`)).to.deep.equal([maxLengthMessage(253)]);
  });
});

describe('qualified names', () => {
  it('are a subdomain, a slash and a name; what is wrong is said of each part', () => {
    const part = fc.constantFrom('a', 'a.b', 'A', '', '-', 'x'.repeat(64));
    fc.assert(
      fc.property(part, part, (prefix, name) => {
        const problems = isQualifiedName(`${prefix}/${name}`);
        const ofPrefix = problems.filter((problem) => problem.startsWith('prefix part '));
        const ofName = problems.filter((problem) => problem.startsWith('name part '));
        expect(ofPrefix.length === 0).to.equal(isDns1123Subdomain(prefix).length === 0);
        expect(ofName).to.deep.equal(isQualifiedName(name));
        expect(problems).to.deep.equal([...ofPrefix, ...ofName]);
      }),
    );
  });
});

describe('numbers', () => {
  const rows: readonly (readonly [string, (value: number) => string[], number, number])[] = [
    ['isValidPortNumber', isValidPortNumber, 1, 65_535],
    ['isValidUserId', isValidUserId, 0, 2_147_483_647],
    ['isValidGroupId', isValidGroupId, 0, 2_147_483_647],
    ['isInRange', (value) => isInRange(value, -5, 5), -5, 5],
  ];
  for (const [name, check, min, max] of rows) {
    it(`${name} takes ${min} to ${max}`, () => {
      const message = `must be between ${min} and ${max}, inclusive`;
      for (const value of [min, min + 1, max - 1, max]) expect(check(value)).to.deep.equal([]);
      for (const value of [min - 1, max + 1, Number.NaN]) expect(check(value)).to.deep.equal([message]);
    });
  }

  const percents: readonly (readonly [string, boolean])[] = [
    ['0%', true],
    ['100%', true],
    ['250%', true],
    ['007%', true],
    ['%', false],
    ['1.5%', false],
    ['+1%', false],
    ['1 %', false],
    ['1%\n', false],
    ['١%', false],
  ];
  for (const [text, isFine] of percents) {
    it(`isValidPercent ${isFine ? 'takes' : 'refuses'} ${JSON.stringify(text)}`, () => {
      expect(isValidPercent(text).length === 0).to.equal(isFine);
    });
  }
});
