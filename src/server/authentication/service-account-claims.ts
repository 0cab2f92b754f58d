import type { UserInfo } from '../../apis/kind-rules.ts';
import { isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** An object that a token names: by name and uid, so that a later object of the same name does not match. */
export interface TokenReference {
  readonly name: string;
  readonly uid: string;
}

/** What a service account token says (RFC 7519 claims; times in seconds since the epoch). */
export interface ServiceAccountClaims {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly issuedAt: number;
  readonly notBefore: number;
  readonly expiry: number;
  readonly namespace: string;
  readonly serviceAccount: TokenReference;
  readonly pod?: TokenReference | undefined;
  readonly secret?: TokenReference | undefined;
  /** Name of the secret that keeps a token of the old kind: it counts as long as the secret holds it. */
  readonly keptIn?: string | undefined;
  /** When the server begins to count uses of a token whose life was extended. */
  readonly warnAfter?: number | undefined;
}

/** The payload of a token, claims in alphabetical order as release 1.20 writes them. */
export function encodeClaims(claims: ServiceAccountClaims, dialect: Dialect): Record<string, unknown> {
  const { issuer, audiences, issuedAt, notBefore, expiry, namespace, serviceAccount } = claims;
  const { pod, secret, warnAfter } = claims;
  return {
    aud: audiences,
    exp: expiry,
    iat: issuedAt,
    iss: issuer,
    [privateClaim(dialect)]: {
      namespace,
      ...(pod === undefined ? {} : { pod }),
      ...(secret === undefined ? {} : { secret }),
      serviceaccount: serviceAccount,
      ...(warnAfter === undefined ? {} : { warnafter: warnAfter }),
    },
    nbf: notBefore,
    sub: serviceAccountUser(namespace, serviceAccount.name).name,
  };
}

/**
 * The claims of a payload; undefined when it is no service account's. The contents are not trusted before the signature
 * is verified.
 */
export function decodeClaims(
  payload: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): ServiceAccountClaims | undefined {
  const own = asObject(payload[privateClaim(dialect)]);
  const serviceAccount = readReference(own?.serviceaccount);
  if (own === undefined || serviceAccount === undefined) return undefined;
  const { iss, aud, iat, nbf, exp } = payload;
  if (typeof iss !== 'string' || typeof own.namespace !== 'string') return undefined;
  const audiences = typeof aud === 'string' ? [aud] : (aud ?? []);
  if (!Array.isArray(audiences) || !audiences.every((audience) => typeof audience === 'string'))
    return undefined;
  return {
    issuer: iss,
    audiences,
    issuedAt: readTime(iat, 0),
    notBefore: readTime(nbf, 0),
    expiry: readTime(exp, Number.POSITIVE_INFINITY),
    namespace: own.namespace,
    serviceAccount,
    pod: readReference(own.pod),
    secret: readReference(own.secret),
    warnAfter: typeof own.warnafter === 'number' ? own.warnafter : undefined,
  };
}

/** The user that a valid token stands for. */
export function userOf(
  { namespace, serviceAccount, pod }: Pick<ServiceAccountClaims, 'namespace' | 'serviceAccount' | 'pod'>,
  dialect: Dialect,
): UserInfo {
  const extraOf = (name: string): string => dialect.domain('authentication', name);
  return {
    ...serviceAccountUser(namespace, serviceAccount.name),
    uid: serviceAccount.uid,
    extra: pod === undefined ? {} : { [extraOf('pod-name')]: [pod.name], [extraOf('pod-uid')]: [pod.uid] },
  };
}

/** Name and groups of a service account as a user, beside those that every user has. */
export const serviceAccountUser = (namespace: string, name: string): Pick<UserInfo, 'name' | 'groups'> => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
});

/** Name of the claim that holds what is not in RFC 7519. */
const privateClaim = (dialect: Dialect): string => dialect.spell('orch.io');

/** A time that is present but no number makes the token invalid. */
function readTime(value: unknown, absent: number): number {
  if (value === undefined || value === null) return absent;
  return typeof value === 'number' ? value : Number.NaN;
}

function readReference(value: unknown): TokenReference | undefined {
  const { name, uid } = asObject(value) ?? {};
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : undefined;
}

/** Parsed JSON that is an object. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(value) ? value : undefined;
}
