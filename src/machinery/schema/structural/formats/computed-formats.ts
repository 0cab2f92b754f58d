/**
 * True for what may be asked for in a request: an absolute URI, or an absolute path (Go's `url.ParseRequestURI`). A `#` has
 * no meaning in it.
 */
export function isRequestUri(text: string): boolean {
  if (text === '' || hasControl(text)) return false;
  if (text === '*') return true;
  const scheme = schemeOf(text);
  if (scheme === undefined) return false;
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  const [hierarchy = ''] = rest.split('?', 1);
  if (!hierarchy.startsWith('/')) return scheme !== '';
  if (scheme === '' || !hierarchy.startsWith('//')) return isEscapedRight(hierarchy);
  const slash = hierarchy.indexOf('/', 2);
  const authority = slash < 0 ? hierarchy.slice(2) : hierarchy.slice(2, slash);
  return isAuthority(authority) && (slash < 0 || isEscapedRight(hierarchy.slice(slash)));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f]/.test(text);

/** The scheme, an empty text where there is none, or undefined where it is missing before its colon. */
function schemeOf(text: string): string | undefined {
  if (text.startsWith(':')) return undefined;
  return /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';
}

const isEscapedRight = (text: string): boolean => !/%(?![0-9a-fA-F]{2})/.test(text);

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(0, at));
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || !isEscapedRight(user)) return false;
  return isHost(authority.slice(at + 1));
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0 || !isPort(host.slice(end + 1))) return false;
    const zone = host.indexOf('%25');
    if (zone < 0 || zone >= end) return isHostText(host);
    return isHostText(host.slice(0, zone) + host.slice(end)) && isZone(host.slice(zone, end));
  }
  const colon = host.lastIndexOf(':');
  return (colon < 0 || isPort(host.slice(colon))) && isHostText(host);
}

const isPort = (text: string): boolean => /^(?::[0-9]*)?$/.test(text);

/** Zones have what hosts have; of escapes those of a space, a percent sign, and of letters and marks in ASCII. */
function isZone(text: string): boolean {
  const decoded = text.replace(/%(20|25|[2-7][0-9a-fA-F])/g, (_, code: string) =>
    code === '20' || code === '25' ? '' : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return !decoded.includes('%') && isHostText(decoded);
}

/** Any letter beyond ASCII, also percent-encoded; of ASCII letters, digits and some marks. */
const isHostText = (text: string): boolean =>
  /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]|%25|%[89a-fA-F][0-9a-fA-F]|[\u0080-\uffff])*$/.test(text);

const withoutSpaces = (text: string): string => text.replace(/[\t\n\f\r -]+/g, '');
const digitAt = (digits: string, index: number): number => digits.charCodeAt(index) - 48;

/** True for an ISBN of ten digits, of which the last may be X; spaces and dashes do not count. */
export function isIsbn10(text: string): boolean {
  const digits = withoutSpaces(text);
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  let sum = digits.endsWith('X') ? 100 : 10 * digitAt(digits, 9);
  for (let index = 0; index < 9; index++) sum += (index + 1) * digitAt(digits, index);
  return sum % 11 === 0;
}

/** True for an ISBN of thirteen digits; spaces and dashes do not count. */
export function isIsbn13(text: string): boolean {
  const digits = withoutSpaces(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += (index % 2 === 0 ? 1 : 3) * digitAt(digits, index);
  return digitAt(digits, 12) === (10 - (sum % 10)) % 10;
}

const issuers =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(?:222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}|6[27][0-9]{14})$/;

/** True for the number of a credit card, with its check digit right; what is no digit does not count. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!issuers.test(digits)) return false;
  let sum = 0;
  for (let index = digits.length - 1, isDoubled = false; index >= 0; index--, isDoubled = !isDoubled) {
    const digit = digitAt(digits, index) * (isDoubled ? 2 : 1);
    sum += digit >= 10 ? (digit % 10) + 1 : digit;
  }
  return sum % 10 === 0;
}
