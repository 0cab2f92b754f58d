import type { UserInfo } from '../../apis/kind-rules.ts';
import { type PeerCertificate, peerCertificateOf } from '../../net/http/index.ts';
import type { Authenticator } from './authenticator.ts';
import type { AuthorityPool } from './authority-pool.ts';

/** Which client certificates make users. */
export interface ClientCertificateOptions {
  /** Who signs them. */
  readonly authorities: Pick<AuthorityPool, 'trusts'>;
  readonly nowMs: () => number;
}

/**
 * Users by client certificate: the common name is the user name, the organizations are the groups. One of a foreign
 * authority, for another use, or out of its time is refused; one without a name says nothing.
 */
export function clientCertificateAuthenticator({
  authorities,
  nowMs,
}: ClientCertificateOptions): Authenticator {
  const users = new WeakMap<PeerCertificate, UserInfo>();
  return {
    authenticate(request) {
      const certificate = peerCertificateOf(request);
      if (certificate === undefined) return undefined;
      if (!authorities.trusts(certificate, nowMs())) return 'refused';
      if (certificate.commonName === '') return undefined;
      let user = users.get(certificate);
      if (user === undefined) {
        const { commonName: name, organizations } = certificate;
        user = { name, uid: '', groups: [...organizations], extra: {} };
        users.set(certificate, user);
      }
      return user;
    },
  };
}
