import type { Secret } from '../../apis/types/core-v1.ts';
import { type Informer, startInformer } from '../../client/informer/index.ts';
import { parseTime, TimeError } from '../../machinery/values/index.ts';
import type { ControllerContext } from '../controller.ts';
import { followOptions } from '../follow-options.ts';

const namePrefix = 'bootstrap-token-';

/** A bootstrap token that may sign: the half that is shown, and the secret one. */
export interface SigningToken {
  readonly id: string;
  readonly secret: string;
}

/** Follows the secrets that hold bootstrap tokens. */
export function followTokens(
  context: ControllerContext,
  handlers: {
    readonly onAdd: (secret: Secret) => void;
    readonly onUpdate: (secret: Secret) => void;
    readonly onDelete?: () => void;
  },
): Informer<Secret> {
  const { dialect } = context;
  return startInformer<Secret>({
    ...followOptions(context),
    ...handlers,
    resource: { group: '', version: 'v1', resource: 'secrets' },
    namespace: dialect.systemNamespace,
    fieldSelector: `type=${dialect.spell('bootstrap.orch.io/token')}`,
  });
}

/** How long a token still counts, in milliseconds: zero or less when it has expired, undefined when it never does. */
export function remainingMs(secret: Secret, nowMs: number): number | undefined {
  const expiration = entryOf(secret, 'expiration');
  if (expiration === '') return undefined;
  try {
    return parseTime(expiration) - nowMs;
  } catch (error) {
    if (error instanceof TimeError) return 0; // what is no time counts as past
    throw error;
  }
}

/** The token of a secret where it may sign; undefined where it may not, has expired or is damaged. */
export function signingTokenOf(secret: Secret, nowMs: number): SigningToken | undefined {
  const id = entryOf(secret, 'token-id');
  const text = entryOf(secret, 'token-secret');
  if (id === '' || text === '' || secret.metadata.name !== namePrefix + id) return undefined;
  if (!/^[a-z0-9]{6}$/.test(id) || (remainingMs(secret, nowMs) ?? 1) <= 0) return undefined;
  return entryOf(secret, 'usage-bootstrap-signing') === 'true' ? { id, secret: text } : undefined;
}

const entryOf = (secret: Secret, key: string): string =>
  Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
