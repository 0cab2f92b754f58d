import type { FieldSet } from '../fieldpath/field-set.ts';
import { unionOfAll } from '../fieldpath/set-algebra.ts';
import { compareTexts } from '../value/index.ts';
import { secondsOf } from './encode.ts';
import { formatIdentity } from './identity.ts';
import type { ManagedState } from './state.ts';

/** Entries of updaters that an object keeps apart. */
export const maxUpdateManagers = 10;

const bucketName = 'ancient-changes';

/** Above the limit the oldest updaters of each version are put together into one entry. */
export function capUpdaters(state: ManagedState): ManagedState {
  const updaters = [...state.managers].filter(([, { isApplied }]) => !isApplied).map(([id]) => id);
  if (updaters.length <= maxUpdateManagers) return state;
  const seconds = (id: string): number => secondsOf(state.times.get(id));
  updaters.sort((a, b) => seconds(a) - seconds(b) || compareTexts(a, b));
  const managers = new Map(state.managers);
  const times = new Map(state.times);
  const firstOfVersion = new Map<string, string>();
  /** What buckets hold when all is done. */
  const collected = new Map<string, FieldSet[]>();
  let count = updaters.length;
  for (const id of updaters) {
    if (count <= maxUpdateManagers) break;
    const own = managers.get(id);
    if (own === undefined) continue;
    const first = firstOfVersion.get(own.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(own.apiVersion, id);
      continue;
    }
    const bucket = formatIdentity({
      manager: bucketName,
      operation: 'Update',
      apiVersion: own.apiVersion,
    });
    const held = managers.get(bucket) ?? managers.get(first) ?? own;
    if (!managers.has(bucket)) managers.delete(first);
    managers.delete(id);
    managers.set(bucket, held);
    const sets = collected.get(bucket);
    if (sets === undefined) collected.set(bucket, [held.set, own.set]);
    else sets.push(own.set);
    count--;
    // The later of the two: updaters come oldest first.
    const time = state.times.get(id);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
  }
  for (const [bucket, sets] of collected) {
    const held = managers.get(bucket);
    if (held !== undefined) managers.set(bucket, { ...held, set: unionOfAll(sets) });
  }
  return { managers, times };
}
