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
    const address = zone >= 0 && zone < end ? host.slice(0, zone) + host.slice(end) : host;
    return isHostText(address);
  }
  const colon = host.lastIndexOf(':');
  return (colon < 0 || isPort(host.slice(colon))) && isHostText(host);
}

const isPort = (text: string): boolean => /^(?::[0-9]*)?$/.test(text);

/** Any letter beyond ASCII, also percent-encoded; of ASCII letters, digits and some marks. */
const isHostText = (text: string): boolean =>
  /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]|%25|%[89a-fA-F][0-9a-fA-F]|[\u0080-\uffff])*$/.test(text);
