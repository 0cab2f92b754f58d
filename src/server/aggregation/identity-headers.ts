import type { OutgoingHttpHeaders } from 'node:http';
import type { UserInfo } from '../../apis/kind-rules.ts';
import { encodeHeader, escapeHeaderName } from '../../base/index.ts';

/** Names of the headers that tell another server who asks (authenticating proxy, `--requestheader-*` there). */
const userHeader = 'x-remote-user';
const groupHeader = 'x-remote-group';
const extraPrefix = 'x-remote-extra-';

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
    if (values.length > 0) kept[extraPrefix + escapeHeaderName(key)] = values.map(encodeHeader);
  }
  return kept;
}
