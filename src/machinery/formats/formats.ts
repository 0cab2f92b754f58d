import { isIpText } from './ip.ts';
import { emptyMessage, isLongerThan, maxLengthMessage, rangeMessage, regexMessage } from './messages.ts';

/** Makes the usual check: a length in bytes, then an expression. Both failures are reported. */
function patternCheck(message: string, pattern: RegExp, maxBytes = Number.POSITIVE_INFINITY) {
  const tooLong = maxLengthMessage(maxBytes);
  return (text: string): string[] => {
    const problems: string[] = [];
    if (isLongerThan(text, maxBytes)) problems.push(tooLong);
    if (!pattern.test(text)) problems.push(message);
    return problems;
  };
}

const whole = (source: string): RegExp => new RegExp(`^(?:${source})$`);

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const wildcard1123 = `\\*\\.${subdomain1123}`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${qualifiedPart})?`;
const cIdentifier = '[A-Za-z_][A-Za-z0-9_]*';
const envVarName = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const configMapKey = '[-._a-zA-Z0-9]+';
const httpHeaderName = '[-A-Za-z0-9]+';
const percent = '[0-9]+%';

const qualifiedRule = regexMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  qualifiedPart,
  'MyName',
  'my.name',
  '123-abc',
);

/** Problems of `text` as a DNS label (at most 63 bytes). Like all checks here: no entries, no problem. */
export const isDns1123Label: (text: string) => string[] = patternCheck(
  regexMessage(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    label1123,
    'my-name',
    '123-abc',
  ),
  whole(label1123),
  63,
);

/** Problems of `text` as DNS labels joined by dots (at most 253 bytes). */
export const isDns1123Subdomain: (text: string) => string[] = patternCheck(
  regexMessage(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    subdomain1123,
    'example.com',
  ),
  whole(subdomain1123),
  253,
);

/** Problems of `text` as a DNS label that starts with a letter (at most 63 bytes). */
export const isDns1035Label: (text: string) => string[] = patternCheck(
  regexMessage(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    label1035,
    'my-name',
    'abc-123',
  ),
  whole(label1035),
  63,
);

/** Problems of `text` as `*.` before a DNS subdomain (at most 253 bytes). */
export const isWildcardDns1123Subdomain: (text: string) => string[] = patternCheck(
  regexMessage(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    wildcard1123,
    '*.example.com',
  ),
  whole(wildcard1123),
  253,
);

/** Problems of `text` as a label value: empty, or a name of at most 63 bytes. */
export const isLabelValue: (text: string) => string[] = patternCheck(
  regexMessage(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    labelValue,
    'MyValue',
    'my_value',
    '12345',
  ),
  whole(labelValue),
  63,
);

/** Problems of `text` as a C identifier. */
export const isCIdentifier: (text: string) => string[] = patternCheck(
  regexMessage(
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    cIdentifier,
    'my_name',
    'MY_NAME',
    'MyName',
  ),
  whole(cIdentifier),
);

/** Problems of `text` as the name of an HTTP header. */
export const isHttpHeaderName: (text: string) => string[] = patternCheck(
  regexMessage(
    "a valid HTTP header must consist of alphanumeric characters or '-'",
    httpHeaderName,
    'X-Header-Name',
  ),
  whole(httpHeaderName),
);

/** Problems of `text` as a percentage: digits and `%`. */
export const isValidPercent: (text: string) => string[] = patternCheck(
  regexMessage(
    "a valid percent string must be a numeric string followed by an ending '%'",
    percent,
    '1%',
    '93%',
  ),
  whole(percent),
);

const hasEnvVarForm = patternCheck(
  regexMessage(
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
    envVarName,
    'my.env-name',
    'MY_ENV.NAME',
    'MyEnvName1',
  ),
  whole(envVarName),
);

const hasConfigMapKeyForm = patternCheck(
  regexMessage(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    configMapKey,
    'key.name',
    'KEY_NAME',
    'key-name',
  ),
  whole(configMapKey),
  253,
);

/** Problems of `text` as an environment variable's name. */
export const isEnvVarName = (text: string): string[] => [...hasEnvVarForm(text), ...parentFolder(text)];

/** Problems of `text` as a key of a ConfigMap or Secret, which becomes a file name (at most 253 bytes). */
export const isConfigMapKey = (text: string): string[] => [
  ...hasConfigMapKeyForm(text),
  ...parentFolder(text),
];

/** Names that would climb out of a folder. */
function parentFolder(text: string): string[] {
  if (text === '.') return ["must not be '.'"];
  if (text === '..') return ["must not be '..'"];
  return text.startsWith('..') ? ["must not start with '..'"] : [];
}

const hasQualifiedForm = whole(qualifiedPart);

/** Problems of `text` as a qualified name: an optional DNS subdomain and `/`, then a name of at most 63 bytes. */
export function isQualifiedName(text: string): string[] {
  const problems: string[] = [];
  const slash = text.indexOf('/');
  if (slash !== text.lastIndexOf('/')) {
    return [
      `a qualified name ${qualifiedRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (slash === 0) problems.push(`prefix part ${emptyMessage}`);
  else if (slash > 0) {
    for (const problem of isDns1123Subdomain(text.slice(0, slash))) problems.push(`prefix part ${problem}`);
  }
  const name = text.slice(slash + 1);
  if (name === '') problems.push(`name part ${emptyMessage}`);
  else if (isLongerThan(name, 63)) problems.push(`name part ${maxLengthMessage(63)}`);
  if (!hasQualifiedForm.test(name)) problems.push(`name part ${qualifiedRule}`);
  return problems;
}

/** Problems of `value` outside `min` to `max`, both included. */
export const isInRange = (value: number, min: number, max: number): string[] =>
  value >= min && value <= max ? [] : [rangeMessage(min, max)];

/** Problems of `value` as a port number. */
export const isValidPortNumber = (value: number): string[] => isInRange(value, 1, 65_535);

/** Problems of `value` as a numeric user. */
export const isValidUserId = (value: number): string[] => isInRange(value, 0, 2_147_483_647);

/** Problems of `value` as a numeric group. */
export const isValidGroupId = (value: number): string[] => isInRange(value, 0, 2_147_483_647);

/** Problems of `text` as a port's name (at most 15 bytes). */
export function isValidPortName(text: string): string[] {
  const problems: string[] = [];
  if (isLongerThan(text, 15)) problems.push(maxLengthMessage(15));
  if (!/^[-a-z0-9]+$/.test(text)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(text)) problems.push('must contain at least one letter or number (a-z, 0-9)');
  if (text.includes('--')) problems.push('must not contain consecutive hyphens');
  if (text.startsWith('-') || text.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

/** Problems of `text` as an IPv4 or IPv6 address. */
export const isValidIp = (text: string): string[] =>
  isIpText(text) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];

/** Problems of `text` as address and port: `0.0.0.0:10254`, `[::]:10254`. */
export function isValidSocketAddress(text: string): string[] {
  const parts = /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:[\]]*)$/.exec(text);
  if (parts === null) {
    return ['must be a valid socket address format, (e.g. 0.0.0.0:10254 or [::]:10254)'];
  }
  const port = /^[+-]?\d{1,18}$/.test(parts[3] ?? '') ? Number(parts[3]) : 0;
  return [...isValidPortNumber(port), ...isValidIp(parts[1] ?? parts[2] ?? '')];
}

/** Problems of `name` as one segment of a URL path. */
export function isPathSegmentName(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return isPathSegmentPrefix(name);
}

/** Problems of `name` as the beginning of a segment of a URL path. */
export function isPathSegmentPrefix(name: string): string[] {
  return ['/', '%']
    .filter((refused) => name.includes(refused))
    .map((refused) => `may not contain '${refused}'`);
}
