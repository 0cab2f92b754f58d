import type { ServiceAccount } from '../../../apis/types/core-v1.ts';
import { systemClock } from '../../../base/index.ts';
import type { PluginSources } from '../options.ts';

const defaultName = 'default';
/** The account of a new namespace is made a moment later: it is waited for, in all for about as long as release 1.20 does. */
const waits: { readonly count: number; readonly everyMs: number } = { count: 50, everyMs: 30 };

/** Finds accounts and their tokens as they are; `default` and its token are waited for. */
export interface AccountLookup {
  account(namespace: string, name: string): Promise<ServiceAccount | undefined>;
  /** Name of the first secret that an account refers to and that holds a token of it. */
  tokenSecret(account: ServiceAccount): Promise<string | undefined>;
}

/** A lookup over what plugins may read. */
export function createAccountLookup({ dialect, read, options }: PluginSources): AccountLookup {
  const { clock = systemClock } = options;
  const type = dialect.label('service-account-token');
  const nameAnnotation = dialect.label('service-account.name');
  const uidAnnotation = dialect.label('service-account.uid');

  const look = async (namespace: string, name: string): Promise<ServiceAccount | undefined> => {
    const found = await read.current('', 'serviceaccounts', namespace, name);
    return found as ServiceAccount | undefined; // the resource holds nothing else
  };
  return {
    account: (namespace, name) =>
      name === defaultName ? untilFound(() => look(namespace, name)) : look(namespace, name),
    tokenSecret(account) {
      const { namespace = '', name = '' } = account.metadata;
      const find = async () => tokenSecretOf((await look(namespace, name)) ?? account);
      return name === defaultName ? untilFound(find) : find();
    },
  };

  /** Asks again for a while until there is something. */
  async function untilFound<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    for (let left = waits.count; ; left--) {
      const found = await ask();
      if (found !== undefined || left === 0) return found;
      await new Promise<void>((resolve) => clock.setTimer(waits.everyMs, resolve));
    }
  }

  function tokenSecretOf({ metadata, secrets = [] }: ServiceAccount): string | undefined {
    for (const { name = '' } of secrets) {
      const secret = read.get('', 'secrets', metadata.namespace ?? '', name);
      const annotations = secret?.metadata.annotations ?? {};
      const isNamed = annotations[nameAnnotation] === metadata.name;
      const isToken = secret !== undefined && 'type' in secret && secret.type === type;
      if (isToken && isNamed && annotations[uidAnnotation] === metadata.uid) return name;
    }
    return undefined;
  }
}
