import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../../apis/kind-rules.ts';
import { connectionOf } from '../../net/http/index.ts';
import type { Authenticator } from './authenticator.ts';

/**
 * Users by client certificate: the common name is the user name, the organizations are the groups. Decided once per
 * connection.
 */
export function clientCertificateAuthenticator(): Authenticator {
  const known = new WeakMap<object, UserInfo | 'none'>();
  return {
    authenticate(request) {
      const connection = connectionOf(request);
      const memo = known.get(connection);
      if (memo !== undefined) return memo === 'none' ? undefined : memo;
      const user = userOf(request.socket as TLSSocket); // or one without certificates, within this process
      known.set(connection, user ?? 'none');
      return user;
    },
  };
}

function userOf(socket: TLSSocket): UserInfo | undefined {
  if (socket.authorized !== true) return undefined;
  const { subject } = socket.getPeerCertificate();
  const name = first(subject?.CN);
  if (name === undefined || name === '') return undefined;
  const organizations: string | readonly string[] | undefined = subject.O;
  let groups: readonly string[] = [];
  if (organizations !== undefined)
    groups = typeof organizations === 'string' ? [organizations] : organizations;
  return { name, uid: '', groups: [...groups], extra: {} };
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value[0];
}
