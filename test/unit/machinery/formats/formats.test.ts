import { expect } from 'chai';
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
  isPathSegmentName,
  isQualifiedName,
  isValidGroupId,
  isValidIp,
  isValidPercent,
  isValidPortName,
  isValidPortNumber,
  isValidSocketAddress,
  isValidUserId,
  isWildcardDns1123Subdomain,
} from '../../../../src/machinery/formats/index.ts';

const qualifiedRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label1035Rule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const wildcardRule =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const configKeyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const envRule =
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";
const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
const headerRule =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
const identifierRule =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";
const labelValueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const tooLong = (max: number): string => `must be no more than ${max} characters`;
const a = (length: number): string => 'a'.repeat(length);

type Check = (text: string) => string[];
const checks: [string, Check, [string, string[]][]][] = [
  [
    'isDns1123Label',
    isDns1123Label,
    [
      ['a-1', []],
      ['1', []],
      [a(63), []],
      [a(64), [tooLong(63)]],
      [`${a(63)}-`, [tooLong(63), labelRule]],
      ['', [labelRule]],
      ['A_', [labelRule]],
      ['a.b', [labelRule]],
      ['a\n', [labelRule]],
    ],
  ],
  [
    'isDns1123Subdomain',
    isDns1123Subdomain,
    [
      ['a.b-c.1', []],
      [a(253), []],
      [a(254), [tooLong(253)]],
      ['a..b', [subdomainRule]],
      ['-a', [subdomainRule]],
      ['a.', [subdomainRule]],
    ],
  ],
  [
    'isDns1035Label',
    isDns1035Label,
    [
      ['a1', []],
      ['1a', [label1035Rule]],
      [a(64), [tooLong(63)]],
    ],
  ],
  [
    'isWildcardDns1123Subdomain',
    isWildcardDns1123Subdomain,
    [
      ['*.example.com', []],
      ['*.*.x', [wildcardRule]],
      ['example.com', [wildcardRule]],
    ],
  ],
  [
    'isQualifiedName',
    isQualifiedName,
    [
      ['Name_1.x', []],
      ['example.com/Name', []],
      ['a b', [`name part ${qualifiedRule}`]],
      [a(64), [`name part ${tooLong(63)}`]],
      ['', ['name part must be non-empty', `name part ${qualifiedRule}`]],
      ['/a', ['prefix part must be non-empty']],
      ['B_/a', [`prefix part ${subdomainRule}`]],
      ['a/', ['name part must be non-empty', `name part ${qualifiedRule}`]],
      [
        'a/b/c',
        [
          `a qualified name ${qualifiedRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
        ],
      ],
    ],
  ],
  [
    'isLabelValue',
    isLabelValue,
    [
      ['', []],
      ['A_b.c', []],
      ['-', [labelValueRule]],
      [a(64), [tooLong(63)]],
    ],
  ],
  [
    'isConfigMapKey',
    isConfigMapKey,
    [
      ['_a.B-1', []],
      ['a/b', [configKeyRule]],
      ['', [configKeyRule]],
      ['.', ["must not be '.'"]],
      ['..', ["must not be '..'"]],
      ['..a', ["must not start with '..'"]],
      [a(254), [tooLong(253)]],
    ],
  ],
  [
    'isEnvVarName',
    isEnvVarName,
    [
      ['A.b-1', []],
      ['1a', [envRule]],
      ['..', ["must not be '..'"]],
    ],
  ],
  [
    'isCIdentifier',
    isCIdentifier,
    [
      ['_a1', []],
      ['1', [identifierRule]],
    ],
  ],
  [
    'isHttpHeaderName',
    isHttpHeaderName,
    [
      ['X-A', []],
      ['X_A', [headerRule]],
    ],
  ],
  [
    'isValidPercent',
    isValidPercent,
    [
      ['10%', []],
      ['10', [percentRule]],
      ['-1%', [percentRule]],
    ],
  ],
  [
    'isValidPortName',
    isValidPortName,
    [
      ['http-1', []],
      ['abcdefghijklmnop', [tooLong(15)]],
      ['80', ['must contain at least one letter or number (a-z, 0-9)']],
      [
        'A',
        [
          'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
          'must contain at least one letter or number (a-z, 0-9)',
        ],
      ],
      ['a--b', ['must not contain consecutive hyphens']],
      ['a-', ['must not begin or end with a hyphen']],
    ],
  ],
  [
    'isValidIp',
    isValidIp,
    [
      ['10.9.8.7', []],
      ['::ffff:1.2.3.4', []],
      ['300.1.1.1', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
    ],
  ],
  [
    'isValidSocketAddress',
    isValidSocketAddress,
    [
      ['0.0.0.0:10254', []],
      ['[::]:10254', []],
      ['10254', ['must be a valid socket address format, (e.g. 0.0.0.0:10254 or [::]:10254)']],
      ['1.2.3.4:0', ['must be between 1 and 65535, inclusive']],
    ],
  ],
  [
    'isPathSegmentName',
    isPathSegmentName,
    [
      ['system:a', []],
      ['.', ["may not be '.'"]],
      ['..', ["may not be '..'"]],
      ['a/b%', ["may not contain '/'", "may not contain '%'"]],
    ],
  ],
];

for (const [name, check, cases] of checks) {
  describe(name, () => {
    for (const [text, problems] of cases) {
      const shown = JSON.stringify(text.length > 30 ? `${text.slice(0, 10)}… (${text.length})` : text);
      it(`${problems.length === 0 ? 'accepts' : 'refuses'} ${shown}`, () => {
        expect(check(text)).to.deep.equal(problems);
      });
    }
  });
}

describe('isInRange', () => {
  const cases: [string, string[], string[]][] = [
    ['bounds are included', isInRange(1, 1, 2), []],
    ['outside is named with the bounds', isInRange(3, 1, 2), ['must be between 1 and 2, inclusive']],
    ['ports start at 1', isValidPortNumber(0), ['must be between 1 and 65535, inclusive']],
    ['ports end at 65535', isValidPortNumber(65_535), []],
    ['users start at 0', isValidUserId(-1), ['must be between 0 and 2147483647, inclusive']],
    [
      'groups end at the largest 32-bit number',
      isValidGroupId(2_147_483_648),
      ['must be between 0 and 2147483647, inclusive'],
    ],
  ];
  for (const [title, actual, wanted] of cases) it(title, () => expect(actual).to.deep.equal(wanted));
});

describe('length limits', () => {
  it('count bytes, not characters', () => {
    expect(isLabelValue('é'.repeat(32))).to.include(tooLong(63));
    expect(isLabelValue('é'.repeat(31))).not.to.include(tooLong(63));
  });
});
