import { hkdfSync } from 'node:crypto';
import type { TokenTrust } from './service-account-tokens.ts';

const keyBytes = 32;

/**
 * The secret that signs the tokens of paged lists of a server that shares its store with none. Servers that sign service
 * account tokens with the same key have the same one, so that a client may ask one of them for the next page of another.
 */
export function continueTokenKey({ signingKey }: Pick<TokenTrust, 'signingKey'>): Buffer {
  const secret = signingKey.privateKey.export({ type: 'pkcs8', format: 'der' });
  return Buffer.from(hkdfSync('sha256', secret, '', 'continue tokens', keyBytes));
}
