import { quoteGo } from '../errors/field-error.ts';

/** Text that is no URL; the message is that of `url.Parse`. */
export class UrlError extends Error {
  override readonly name = 'UrlError';
}

/** Parts of a URL. Escapes of host, path and user have been looked at, and stay. */
export interface UrlParts {
  /** In lower case; empty when there is none. */
  readonly scheme: string;
  /** Empty when there is none; with the port. */
  readonly host: string;
  /** Undefined when the host has no `@` before it. */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

/**
 * Reads a URL as Go does, which takes more than the URL standard: relative ones, and hosts that no name server knows.
 *
 * @throws UrlError
 */
export function parseUrl(text: string): UrlParts {
  const [before, fragment] = cut(text, '#');
  const parts = tellWith(before, () => readParts(before));
  tellWith(text, () => refuseEscapes(fragment));
  return { ...parts, fragment };
}

/** What is wrong with a part of a URL. */
class PartError extends Error {
  override readonly name = 'PartError';
}

/** Tells what is wrong with a part together with the text that has it. */
function tellWith<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PartError)) throw error;
    throw new UrlError(`parse ${quoteGo(text)}: ${error.message}`);
  }
}

/** What is before and behind the first of a mark. */
function cut(text: string, mark: string): [before: string, behind: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function readParts(text: string): Omit<UrlParts, 'fragment'> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text)) throw new PartError('net/url: invalid control character in URL');
  const none = { scheme: '', host: '', user: undefined, query: '' };
  if (text === '*') return none;
  const scheme = /^[A-Za-z][-+.A-Za-z0-9]*(?=:)/.exec(text)?.[0];
  if (scheme === undefined && text.startsWith(':')) throw new PartError('missing protocol scheme');
  const [rest, query] = cut(scheme === undefined ? text : text.slice(scheme.length + 1), '?');
  const parts = { ...none, scheme: scheme?.toLowerCase() ?? '', query };
  if (!rest.startsWith('/')) {
    if (scheme !== undefined) return parts;
    if (/^[^/]*:/.test(rest)) throw new PartError('first path segment in URL cannot contain colon');
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== undefined || !rest.startsWith('///'));
  const [, authority = '', path = ''] = (hasAuthority && /^\/\/([^/]*)(.*)$/s.exec(rest)) || ['', '', rest];
  const result = { ...parts, ...readAuthority(authority) };
  refuseEscapes(path);
  return result;
}

function readAuthority(authority: string): Pick<UrlParts, 'host' | 'user'> {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  checkHost(host);
  if (at < 0) return { host, user: undefined };
  const user = authority.slice(0, at);
  if (!/^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/.test(user)) throw new PartError('net/url: invalid userinfo');
  refuseEscapes(user);
  return { host, user };
}

function checkHost(host: string): void {
  const isLiteral = host.startsWith('[');
  if (isLiteral && !host.includes(']')) throw new PartError("missing ']' in host");
  const end = isLiteral ? host.lastIndexOf(']') + 1 : host.lastIndexOf(':');
  const port = end < 0 ? '' : host.slice(end);
  if (!/^(?::\d*)?$/.test(port)) throw new PartError(`invalid port ${quoteGo(port)} after host`);
  refuseEscapes(host);
  // Of ASCII only a percent sign may be escaped in a host.
  const ascii = /%(?!25)[0-7]./.exec(host)?.[0];
  if (ascii !== undefined) throw new PartError(`invalid URL escape ${quoteGo(ascii)}`);
  const wrong = /[^-A-Za-z0-9._~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/.exec(host)?.[0];
  if (wrong !== undefined) throw new PartError(`invalid character ${quoteGo(wrong)} in host name`);
}

function refuseEscapes(text: string): void {
  const wrong = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(text)?.[0];
  if (wrong !== undefined) throw new PartError(`invalid URL escape ${quoteGo(wrong)}`);
}
