import { podReferences } from '../../../apis/core/index.ts';
import type { Pod, ServiceAccount } from '../../../apis/types/core-v1.ts';
import { serverTimeout } from '../../../machinery/errors/index.ts';
import { parseBool } from '../../../machinery/go-values/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { podOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';
import { type AccountLookup, createAccountLookup } from './account-lookup.ts';
import { mountBoundToken, mountSecretToken } from './token-mounts.ts';

/**
 * Gives new pods the account `default` unless they name another, the account's image pull secrets, and its token where
 * the API is found by programs; refuses those whose account is not there, and secrets that an account does not allow.
 * Source: release 1.20, `plugin/pkg/admission/serviceaccount`.
 */
export function serviceAccount(sources: PluginSources): AdmissionPlugin {
  const { dialect } = sources;
  const lookup = createAccountLookup(sources);
  const mirrorAnnotation = dialect.label('config.mirror');
  const enforceAnnotation = dialect.label('enforce-mountable-secrets');
  const isMirror = ({ metadata }: Pod): boolean => metadata.annotations?.[mirrorAnnotation] !== undefined;

  return {
    name: 'ServiceAccount',
    handles: onOperations('CREATE'),
    async admit(attributes) {
      const pod = podOf(attributes);
      if (pod === undefined || isMirror(pod)) return;
      setAccountName(pod, pod.spec.serviceAccountName || 'default');
      const account = await findAccount(lookup, attributes, pod);
      if (pod.spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) {
        await mountToken(sources, lookup, { pod, account });
      }
      const pullSecrets = account.imagePullSecrets ?? [];
      if ((pod.spec.imagePullSecrets ?? []).length === 0 && pullSecrets.length > 0) {
        pod.spec.imagePullSecrets = pullSecrets.map(({ name }) => ({ name }));
      }
    },
    async validate(attributes) {
      const pod = podOf(attributes);
      if (pod === undefined) return;
      let problem: string | undefined;
      if (isMirror(pod)) problem = mirrorPodProblem(pod);
      else {
        const account = await findAccount(lookup, attributes, pod);
        const isStrict = parseBool(account.metadata.annotations?.[enforceAnnotation] ?? '') === true;
        if (isStrict) problem = secretReferenceProblem(pod, account);
      }
      if (problem !== undefined) throw refuse(attributes, problem);
    },
  };
}

async function findAccount(
  lookup: AccountLookup,
  attributes: AdmissionAttributes,
  pod: Pod,
): Promise<ServiceAccount> {
  const { namespace } = attributes;
  const name = pod.spec.serviceAccountName ?? '';
  const account = await lookup.account(namespace, name);
  if (account !== undefined) return account;
  throw refuse(
    attributes,
    `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`,
  );
}

async function mountToken(
  { dialect, gates }: PluginSources,
  lookup: AccountLookup,
  { pod, account }: { readonly pod: Pod; readonly account: ServiceAccount },
): Promise<void> {
  const mountPath = dialect.spell('/var/run/secrets/orch.io/serviceaccount');
  if (gates.has('BoundServiceAccountTokenVolume')) {
    const volumePrefix = dialect.spell('orch-api-access-');
    mountBoundToken(pod, { mountPath, volumePrefix, authorityMap: dialect.rootCaConfigMap });
    return;
  }
  const secret = await lookup.tokenSecret(account);
  if (secret === undefined) {
    throw serverTimeout({ group: '', resource: 'serviceaccounts' }, 'create pod', {
      message: `No API token found for service account ${JSON.stringify(account.metadata.name)}, retry after the token is automatically created and added to the service account`,
      retryAfterSeconds: 1,
    });
  }
  mountSecretToken(pod, { mountPath, secret });
}

/** The old name of the field is always written with it. */
function setAccountName({ spec }: Pod, name: string): void {
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

/** Why a pod that mirrors one of an agent's files refers to what it may not; undefined when it does not. */
function mirrorPodProblem(pod: Pod): string | undefined {
  const { spec } = pod;
  if ((spec.serviceAccountName ?? '') !== '') return 'a mirror pod may not reference service accounts';
  if (podReferences(pod).secrets.length > 0) return 'a mirror pod may not reference secrets';
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  return sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)
    ? 'a mirror pod may not use ServiceAccountToken volume projections'
    : undefined;
}

/** Which secret of a pod its account, where that is enforced, does not allow; undefined when it allows all. */
function secretReferenceProblem({ spec }: Pod, account: ServiceAccount): string | undefined {
  const allowed = new Set((account.secrets ?? []).map(({ name = '' }) => name));
  const owner = `service account ${account.metadata.name} does not reference that secret`;
  for (const { secret } of spec.volumes ?? []) {
    if (secret === undefined || allowed.has(secret.secretName ?? '')) continue;
    return `volume with secret.secretName="${secret.secretName ?? ''}" is not allowed because ${owner}`;
  }
  for (const [kind, containers] of [
    ['init container', spec.initContainers],
    ['container', spec.containers],
  ] as const) {
    for (const { name, env } of containers ?? []) {
      for (const variable of env ?? []) {
        const secret = variable.valueFrom?.secretKeyRef?.name;
        if (variable.valueFrom?.secretKeyRef === undefined || allowed.has(secret ?? '')) continue;
        return `${kind} ${name} with envVar ${variable.name} referencing secret.secretName="${secret ?? ''}" is not allowed because ${owner}`;
      }
    }
  }
  const pullable = new Set((account.imagePullSecrets ?? []).map(({ name = '' }) => name));
  for (const [at, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (!pullable.has(name))
      return `imagePullSecrets[${at}].name="${name}" is not allowed because service account ${account.metadata.name} does not reference that imagePullSecret`;
  }
  return undefined;
}
