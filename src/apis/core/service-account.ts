import type { KindRules } from '../kind-rules.ts';
import type { ServiceAccount } from '../types/core-v1.ts';
import { nameIsDnsSubdomain } from '../validation/index.ts';

/** Service accounts. Of references to secrets only the name is kept. */
export const serviceAccountRules: KindRules<ServiceAccount> = {
  validateName: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  prepareForCreate: keepNamesOfSecrets,
  prepareForUpdate: keepNamesOfSecrets,
};

function keepNamesOfSecrets(account: ServiceAccount): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
