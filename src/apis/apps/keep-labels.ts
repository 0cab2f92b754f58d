import type { Deployment } from '../types/apps-v1.ts';

/** Keeps the labels when only the status is written. */
export function keepLabels(object: Deployment, old: Deployment): void {
  if (old.metadata.labels === undefined) delete object.metadata.labels;
  else object.metadata.labels = old.metadata.labels;
}
