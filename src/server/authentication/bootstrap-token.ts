import type { UserInfo } from '../../apis/kind-rules.ts';
import type { Secret } from '../../apis/types/core-v1.ts';
import type { Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { parseTime, TimeError } from '../../machinery/values/index.ts';
import { isSameSecret } from './same-secret.ts';
import type { PlainTokenAuthenticator } from './token-authenticator.ts';

/** Where bootstrap tokens are looked up. */
export interface BootstrapTokenOptions {
  readonly dialect: Dialect;
  /** A secret of the system namespace as it is now. */
  readonly findSecret: (name: string) => Secret | undefined;
  readonly nowMs: () => number;
  readonly logger: Logger;
}

const tokenFormat = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupFormat = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const defaultGroup = 'system:bootstrappers';

/**
 * Users by bootstrap token, `ID.SECRET`, which is in the secret `bootstrap-token-ID` of the system namespace. Source: the
 * documentation page "Authenticating with Bootstrap Tokens". The log says at level debug why a known one is not taken.
 */
export function bootstrapTokenAuthenticator(options: BootstrapTokenOptions): PlainTokenAuthenticator {
  const { dialect, findSecret, nowMs, logger } = options;
  const type = dialect.spell('bootstrap.orch.io/token');
  return {
    userOfToken(token) {
      const [, id = '', tokenSecret = ''] = tokenFormat.exec(token) ?? [];
      if (id === '') return undefined;
      const name = `bootstrap-token-${id}`;
      const secret = findSecret(name);
      if (secret === undefined) return undefined;
      const user = userOf(secret, { id, tokenSecret, type, nowMs: nowMs() });
      if (typeof user !== 'string') return user;
      logger.debug('bootstrap token not taken', { secret: name, reason: user });
      return undefined;
    },
  };
}

interface Presented {
  readonly id: string;
  readonly tokenSecret: string;
  readonly type: string;
  readonly nowMs: number;
}

/** The user of a token, or what is wrong with the secret. */
function userOf(secret: Secret, { id, tokenSecret, type, nowMs }: Presented): UserInfo | string {
  const entry = (key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
  if (secret.metadata.deletionTimestamp) return 'it is being deleted';
  if (secret.type !== type) return `it is not of type ${type}`;
  if (!isSameSecret(entry('token-secret'), tokenSecret)) return 'token-secret is another one';
  if (entry('token-id') !== id) return 'token-id is not the one in its name';
  if (hasExpired(entry('expiration'), nowMs)) return 'it has expired';
  if (entry('usage-bootstrap-authentication') !== 'true') return 'it is not for authentication';
  const extra = entry('auth-extra-groups');
  const extraGroups = extra === '' ? [] : extra.split(',');
  if (!extraGroups.every((group) => groupFormat.test(group))) return 'auth-extra-groups names other groups';
  const groups = [...new Set([defaultGroup, ...extraGroups])].sort();
  return { name: `system:bootstrap:${id}`, uid: '', groups, extra: {} };
}

/** No time: never. What is no time counts as long past. */
function hasExpired(expiration: string, nowMs: number): boolean {
  if (expiration === '') return false;
  try {
    return nowMs >= parseTime(expiration);
  } catch (error) {
    if (error instanceof TimeError) return true;
    throw error;
  }
}
