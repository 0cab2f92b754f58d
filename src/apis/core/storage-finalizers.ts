import type { Dialect } from '../../machinery/dialect.ts';
import type { ObjectMeta } from '../../machinery/meta/index.ts';

/** Finalizer that keeps a claim while a pod uses it. */
export const claimProtection = (dialect: Dialect): string => dialect.label('pvc-protection');

/** Finalizer that keeps a volume while a claim is bound to it. */
export const volumeProtection = (dialect: Dialect): string => dialect.label('pv-protection');

/** Adds a finalizer to a new object unless it has it; part of admission, not of the kind's own rules. */
export function addFinalizer(metadata: ObjectMeta, finalizer: string): void {
  if (metadata.finalizers?.includes(finalizer)) return;
  metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
}
