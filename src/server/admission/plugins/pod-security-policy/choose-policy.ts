import type { Pod } from '../../../../apis/types/core-v1.ts';
import { deepEqual } from '../../../../apis/validation/index.ts';
import type { FieldError } from '../../../../machinery/errors/index.ts';
import { copyOf } from '../../../../machinery/schema/index.ts';
import type { PolicyControls } from './controls.ts';

/** What a pod is measured by. */
export interface PolicyChoice {
  /** In the order of their names. */
  readonly policies: readonly PolicyControls[];
  /** Whether a policy may fill in what the pod leaves open. */
  readonly mayChange: boolean;
  /** Whether whoever makes the pod, or its service account, may use the policy of that name. */
  isUsable(name: string): Promise<boolean>;
}

/** The policy that lets a pod through, or what those that may be used have against it. */
export type PolicyVerdict =
  | { readonly kind: 'allowed'; readonly policy: PolicyControls }
  | { readonly kind: 'refused'; readonly errors: readonly FieldError[] };

/**
 * The first usable policy that lets the pod through as it is; where it may be changed also, if there is none, the first
 * that lets it through with its defaults. The pod is not changed.
 */
export async function choosePolicy(
  pod: Pod,
  { policies, mayChange, isUsable }: PolicyChoice,
): Promise<PolicyVerdict> {
  const refusals: { readonly name: string; readonly errors: readonly FieldError[] }[] = [];
  let changing: PolicyControls | undefined;
  for (const policy of policies) {
    const copy = copyOf(pod);
    policy.applyDefaults(copy);
    const errors = policy.check(copy);
    if (errors.length > 0) {
      refusals.push({ name: policy.name, errors });
      continue;
    }
    const isChanged = !deepEqual(pod, copy);
    // A second one that would change the pod is of no use.
    if (isChanged && (!mayChange || changing !== undefined)) continue;
    if (!(await isUsable(policy.name))) continue;
    if (!isChanged) return { kind: 'allowed', policy };
    changing = policy;
  }
  if (changing !== undefined) return { kind: 'allowed', policy: changing };
  const errors: FieldError[] = [];
  // Nobody is told of policies that are not for them.
  for (const refusal of refusals) if (await isUsable(refusal.name)) errors.push(...refusal.errors);
  return { kind: 'refused', errors };
}
