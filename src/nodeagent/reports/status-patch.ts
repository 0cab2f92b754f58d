import type { PodStatus } from '../../apis/types/core-v1.ts';

/** A strategic merge patch of the subresource `status` of a pod. */
export interface StatusPatch {
  /** The patch holds for this pod only, not for another one of its name. */
  readonly metadata: { readonly uid: string };
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * What to send so that a pod with the status `current` has `wanted`; undefined when it has. Conditions that are not
 * the agent's stay as they are.
 */
export declare function statusPatch(
  uid: string,
  current: PodStatus,
  wanted: PodStatus,
): StatusPatch | undefined;
