import { hkdfSync } from 'node:crypto';
import type { ServeConfig } from '../config/serve/index.ts';
import type { SecretTokenOptions } from '../controllers/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import {
  readSigningKey,
  readTokenKeys,
  signLegacyToken,
  type TokenKey,
  type TokenSigningKey,
} from '../server/authentication/index.ts';
import type { SigningKey } from '../server/pki/index.ts';
import { readFlagFile } from './read-flag-file.ts';
import type { SharedTrust } from './shared-trust.ts';

/** What signs and verifies service account tokens. */
export interface TokenTrust {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly signingKey: TokenSigningKey;
  /**
   * Keys that verify, each once, in the order of the files; the signing key's own is first where they lack it. The list
   * changes when other servers of the store come.
   */
  readonly keys: readonly TokenKey[];
}

/**
 * Reads the keys of service account tokens: the files that flags name, else the server's own and those of the other
 * servers of the store.
 *
 * @throws PkiError or Error naming the file that cannot be used.
 */
export async function openTokenTrust(
  config: ServeConfig,
  dialect: Dialect,
  own: SigningKey,
  ofServers?: Pick<SharedTrust, 'tokenKeys' | 'onChange'> | undefined,
): Promise<TokenTrust> {
  const signingFile = config.serviceAccountSigningKeyFile;
  const signingKey =
    signingFile === undefined
      ? readSigningKey(own.privateKeyPem, 'the service account key')
      : readSigningKey(await readFlagFile('service-account-signing-key-file', signingFile), signingFile);
  const verifying = await Promise.all(
    config.serviceAccountKeyFile.map(async (file) =>
      readTokenKeys([await readFlagFile('service-account-key-file', file)], file),
    ),
  );
  const issuer = config.serviceAccountIssuer ?? `https://${dialect.apiServiceName}.default.svc`;
  const named = [config.apiAudiences, config.serviceAccountApiAudiences].find(({ length }) => length > 0);
  const keys = eachOnce(signingKey, verifying.flat());
  if (ofServers !== undefined && signsWithOwnKey(config)) {
    const follow = (): void => {
      keys.splice(0, keys.length, ...eachOnce(signingKey, [...ofServers.tokenKeys]));
    };
    follow();
    ofServers.onChange(follow);
  }
  return {
    issuer,
    audiences: named ?? [issuer],
    signingKey,
    keys,
  };
}

/** Whether no flag says which keys sign and verify tokens. */
export const signsWithOwnKey = (config: ServeConfig): boolean =>
  config.serviceAccountSigningKeyFile === undefined && config.serviceAccountKeyFile.length === 0;

/** Signs the tokens that secrets keep. */
export function secretTokenSigner(
  dialect: Dialect,
  { signingKey }: Pick<TokenTrust, 'signingKey'>,
): SecretTokenOptions['sign'] {
  return (order) => signLegacyToken(order, { dialect, signingKey });
}

/** Release 1.20 lists the keys of the files only; what it signs with is to be among them. */
function eachOnce(signingKey: TokenKey, verifying: readonly TokenKey[]): TokenKey[] {
  const keys = new Map(
    verifying.map((key) => [key.keyId, key.keyId === signingKey.keyId ? signingKey : key]),
  );
  return keys.has(signingKey.keyId) ? [...keys.values()] : [signingKey, ...keys.values()];
}

const keyBytes = 32;

/**
 * The secret that signs the tokens of paged lists of a server that shares its store with none. Servers that sign service
 * account tokens with the same key have the same one, so that a client may ask one of them for the next page of another.
 */
export function continueTokenKey({ signingKey }: Pick<TokenTrust, 'signingKey'>): Buffer {
  const secret = signingKey.privateKey.export({ type: 'pkcs8', format: 'der' });
  return Buffer.from(hkdfSync('sha256', secret, '', 'continue tokens', keyBytes));
}
