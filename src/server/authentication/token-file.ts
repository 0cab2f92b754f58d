import { hash } from 'node:crypto';
import type { UserInfo } from '../../apis/kind-rules.ts';
import { bearerToken, connectionOf } from '../../net/http/index.ts';
import type { RequestAuthenticator } from './authenticator.ts';
import type { PlainTokenAuthenticator } from './token-authenticator.ts';

/**
 * Users by static bearer token, from the lines of `--token-auth-file`: `token,user,uid[,"group1,group2"]`.
 *
 * @throws Error naming the line that is wrong (never its token).
 */
export function tokenFileAuthenticator(csv: string): RequestAuthenticator & PlainTokenAuthenticator {
  const users = parseTokenFile(csv);
  const userOf = (token: string): UserInfo | undefined => users.get(digest(token));
  // Each request of a connection has the same header: the last result is remembered per connection.
  const known = new WeakMap<
    object,
    { readonly header: string | undefined; readonly user: UserInfo | undefined }
  >();
  return {
    authenticate(request) {
      const header = request.headers.authorization;
      const connection = connectionOf(request);
      const memo = known.get(connection);
      if (memo !== undefined && memo.header === header) return memo.user;
      const token = bearerToken(request);
      const user = token === undefined ? undefined : userOf(token);
      known.set(connection, { header, user });
      return user;
    },
    userOfToken: userOf,
  };
}

/** Tokens are looked up by digest, so that the time of a lookup tells nothing of a token. */
const digest = (token: string): string => hash('sha256', token, 'base64');

function parseTokenFile(csv: string): Map<string, UserInfo> {
  const users = new Map<string, UserInfo>();
  csv.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const fail = (what: string) =>
      new Error(`token file line ${index + 1}: ${what}: expected token,user,uid[,"groups"]`);
    const fields = splitCsvLine(line);
    if (fields === undefined) throw fail('the quotes do not match');
    const [token = '', name = '', uid = '', groups = ''] = fields;
    if (token === '') throw fail('the token is empty');
    if (name === '') throw fail('the user is missing');
    const user: UserInfo = {
      name,
      uid,
      groups: groups.split(',').filter((group) => group !== ''),
      extra: {},
    };
    users.set(digest(token), user);
  });
  return users;
}

const csvField = /[ \t]*"((?:[^"]|"")*)"[ \t]*(,|$)|([^",]*)(,|$)/y;

/**
 * Fields of one line of comma-separated values; a field in double quotes may hold commas, and quotes doubled.
 * Undefined when quotes stand where they make no sense.
 */
function splitCsvLine(line: string): string[] | undefined {
  const fields: string[] = [];
  csvField.lastIndex = 0;
  for (;;) {
    const match = csvField.exec(line);
    if (match === null) return undefined;
    const [, quoted, afterQuoted, plain = '', afterPlain] = match;
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if ((afterQuoted ?? afterPlain) !== ',') return fields;
  }
}
