import type { OutgoingHttpHeaders } from 'node:http';
import type { UserInfo } from '../../apis/kind-rules.ts';
import { encodeHeader } from '../../base/index.ts';

/** Names of the headers that tell another server who asks (authenticating proxy, `--requestheader-*` there). */
const userHeader = 'x-remote-user';
const groupHeader = 'x-remote-group';
const extraPrefix = 'x-remote-extra-';

/** Bytes that names of headers may have (RFC 7230, section 3.2.6); the percent sign begins an escape. */
const plain = /[^A-Za-z0-9!#$&'*+.^_`|~-]/gu;

/** Headers without what they said of a user, with this one. */
export function identifyUser(
  headers: OutgoingHttpHeaders,
  { name, groups, extra }: Pick<UserInfo, 'name' | 'groups' | 'extra'>,
): OutgoingHttpHeaders {
  const kept: OutgoingHttpHeaders = {};
  for (const [header, value] of Object.entries(headers)) {
    const isClaim = header === userHeader || header === groupHeader || header.startsWith(extraPrefix);
    if (!isClaim) kept[header] = value;
  }
  kept[userHeader] = encodeHeader(name);
  if (groups.length > 0) kept[groupHeader] = groups.map(encodeHeader);
  for (const [key, values] of Object.entries(extra ?? {})) {
    if (values.length > 0) kept[extraPrefix + escapeKey(key)] = values.map(encodeHeader);
  }
  return kept;
}

/** Keys in names of headers: other bytes percent-encoded, as the reader of `X-Remote-Extra-` decodes them. */
const escapeKey = (key: string): string =>
  key.replace(plain, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
