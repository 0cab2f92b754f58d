import { podReferences } from '../../../apis/core/index.ts';
import type { Pod, ServiceAccount } from '../../../apis/types/core-v1.ts';

/** Why a pod that mirrors one of an agent's files refers to what it may not; undefined when it does not. */
export function mirrorPodProblem(pod: Pod): string | undefined {
  const { spec } = pod;
  if ((spec.serviceAccountName ?? '') !== '') return 'a mirror pod may not reference service accounts';
  if (podReferences(pod).secrets.length > 0) return 'a mirror pod may not reference secrets';
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  return sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)
    ? 'a mirror pod may not use ServiceAccountToken volume projections'
    : undefined;
}

/** Which secret of a pod its account, where that is enforced, does not allow; undefined when it allows all. */
export function secretReferenceProblem({ spec }: Pod, account: ServiceAccount): string | undefined {
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
