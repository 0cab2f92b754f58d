import type { Secret, ServiceAccount } from '../../apis/types/core-v1.ts';
import { nameSuffixLength, randomNameSuffix } from '../../base/index.ts';

/** Names that depend on the dialect: the type of token secrets, and the annotations that name their account. */
export interface TokenSecretNames {
  readonly type: string;
  readonly accountName: string;
  readonly accountUid: string;
}

/** The names as a dialect spells them. */
export const tokenSecretNames = (spell: (text: string) => string): TokenSecretNames => ({
  type: spell('orch.io/service-account-token'),
  accountName: spell('orch.io/service-account.name'),
  accountUid: spell('orch.io/service-account.uid'),
});

/** The account that a token secret names; `uid` is empty while the secret names none. */
export function accountNamedBy(
  { metadata, type }: Secret,
  names: TokenSecretNames,
): { readonly name: string; readonly uid: string } | undefined {
  const name = metadata.annotations?.[names.accountName] ?? '';
  if (type !== names.type || name === '') return undefined;
  return { name, uid: metadata.annotations?.[names.accountUid] ?? '' };
}

/** Whether a secret holds a token of this very account, not of an earlier one of the name. */
export function isTokenOf(secret: Secret, { metadata }: ServiceAccount, names: TokenSecretNames): boolean {
  const account = accountNamedBy(secret, names);
  const isSame = account?.name === metadata.name && account?.uid === metadata.uid;
  return isSame && secret.metadata.namespace === metadata.namespace;
}

/** What a token secret of an account is to hold beside the token. */
export interface SecretContents {
  readonly names: TokenSecretNames;
  /** PEM of the server's authority; undefined where it is not published. */
  readonly authorityPem: string | undefined;
}

/** What is missing in a token secret: the object to write in its place, and whether a token must be added to it. */
export interface SecretRepair {
  readonly secret: Secret;
  readonly needsToken: boolean;
}

/** What a secret that names an account lacks; undefined when it is complete. Pure. */
export function decideSecretRepair(
  secret: Secret,
  account: ServiceAccount,
  { names, authorityPem }: SecretContents,
): SecretRepair | undefined {
  const { namespace = '', name = '', uid = '' } = account.metadata;
  const data = secret.data ?? {};
  const wanted = {
    ...(authorityPem === undefined ? {} : { 'ca.crt': encode(authorityPem) }),
    namespace: encode(namespace),
  };
  const needsToken = (data.token ?? '') === '';
  const isFilled = Object.entries(wanted).every(([key, value]) => data[key] === value);
  const annotations = secret.metadata.annotations ?? {};
  const isNamed = annotations[names.accountUid] === uid && annotations[names.accountName] === name;
  if (isFilled && isNamed && !needsToken) return undefined;
  const metadata = {
    ...secret.metadata,
    annotations: { ...annotations, [names.accountName]: name, [names.accountUid]: uid },
  };
  return { secret: { ...secret, metadata, data: { ...data, ...wanted } }, needsToken };
}

/** A new token secret of an account, complete but for the token. */
export function newTokenSecret(account: ServiceAccount, name: string, contents: SecretContents): Secret {
  const { namespace } = account.metadata;
  const empty: Secret = {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name, namespace },
    type: contents.names.type,
  };
  return decideSecretRepair(empty, account, contents)?.secret ?? empty;
}

/** The account without its references to a secret; undefined when it has none. */
export function withoutReference(account: ServiceAccount, secretName: string): ServiceAccount | undefined {
  const secrets = (account.secrets ?? []).filter(({ name }) => name !== secretName);
  return secrets.length === (account.secrets ?? []).length ? undefined : { ...account, secrets };
}

/** A value of a secret's data with the token in it. */
export const withToken = (secret: Secret, token: string): Secret => ({
  ...secret,
  data: { ...secret.data, token: encode(token) },
});

const encode = (text: string): string => Buffer.from(text).toString('base64');

const maxBaseLength = 63 - nameSuffixLength;

/** A name for a token secret, as generated names are. */
export const generateTokenName = (accountName: string): string =>
  `${accountName}-token-`.slice(0, maxBaseLength) + randomNameSuffix();
