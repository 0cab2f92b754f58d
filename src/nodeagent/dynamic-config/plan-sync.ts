import type { ConfigMap } from '../../apis/types/core-v1.ts';
import {
  type BadSource,
  type ConfigSource,
  type DesiredSource,
  isSafeName,
  isSameSource,
  withVersion,
} from './config-source.ts';
import type { ConfigState } from './config-state.ts';

/** What is to be kept of a ConfigMap. */
export interface Payload {
  readonly source: ConfigSource;
  readonly files: ReadonlyMap<string, string>;
}

/** ConfigMaps hold a mebibyte; a server that sends more is not believed. */
const maxTotalLength = 2 * 1024 * 1024;

/** What a ConfigMap is on disk: its texts by their keys. Binary ones are no configuration. */
export function readPayload(desired: DesiredSource, { metadata, data }: ConfigMap): Payload | BadSource {
  const source = withVersion(desired, { uid: metadata.uid, resourceVersion: metadata.resourceVersion });
  if ('failure' in source) return source;
  const files = new Map<string, string>();
  let total = 0;
  for (const [key, text] of Object.entries(data ?? {})) {
    if (!isSafeName(key) || typeof text !== 'string') {
      const shown = JSON.stringify(key).slice(0, 100);
      return { failure: 'internal', detail: `key of the ConfigMap cannot be a file: ${shown}` };
    }
    total += text.length;
    files.set(key, text);
  }
  if (total <= maxTotalLength) return { source, files };
  return {
    failure: 'internal',
    detail: `the ConfigMap has ${total} characters, more than ${maxTotalLength}`,
  };
}

/** What brings the records on disk to what the node asks for. A restart comes last. */
export type SyncPlan =
  | { readonly kind: 'keep' }
  /** Forgets both sources. */
  | { readonly kind: 'reset'; readonly mustRestart: boolean }
  | { readonly kind: 'assign'; readonly mustSave: boolean; readonly mustRestart: boolean };

/** The node asks for local configuration. */
export function planReset({ assigned, lastKnownGood, isDamaged = false }: ConfigState): SyncPlan {
  const mustRestart = assigned !== undefined || isDamaged;
  return mustRestart || lastKnownGood !== undefined ? { kind: 'reset', mustRestart } : { kind: 'keep' };
}

/** The node asks for a ConfigMap, whose version `source` names. */
export function planAssignment(
  source: ConfigSource,
  state: ConfigState,
  { hasCheckpoint }: { readonly hasCheckpoint: boolean },
): SyncPlan {
  const isAssigned = isSameSource(source, state.assigned);
  if (isAssigned && hasCheckpoint) return { kind: 'keep' };
  // A checkpoint that was lost and comes back is a new chance for a configuration that could not be loaded.
  const mustRestart = !isAssigned || !isSameSource(source, state.active);
  return { kind: 'assign', mustSave: !hasCheckpoint, mustRestart };
}
