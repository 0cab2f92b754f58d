import { storageClassName } from '../../apis/core/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import { parseQuantity, quantityValue } from '../../machinery/values/index.ts';
import { hasSameMode, isPromisedTo } from './state.ts';

/** How a volume is looked for. */
export interface FindVolumeOptions {
  readonly dialect: Dialect;
  /** The claim waits for its first pod: only a volume that is promised to it will do. */
  readonly isDelayed: boolean;
}

/**
 * The volume that a claim is to have: among those with as few access modes as possible one that is promised to it, or else the
 * smallest that will do. Pure. Source: release 1.20, `persistentVolumeOrderedIndex` and `FindMatchingVolume`.
 */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  { dialect, isDelayed }: FindVolumeOptions,
): PersistentVolume | undefined {
  const wanted = sizeOf(claim.spec.resources.requests);
  const selector = claim.spec.selector && labelSelectorFromObject(claim.spec.selector);
  const storageClass = storageClassName(claim, dialect);
  const fits = (volume: PersistentVolume): boolean => {
    const { metadata, spec, status } = volume;
    if (!hasModes(volume, claim) || !hasSameMode(volume, claim)) return false;
    if (metadata.deletionTimestamp || sizeOf(spec.capacity) < wanted) return false;
    // Whatever its class.
    if (isPromisedTo(volume, claim)) return true;
    if (storageClassName(volume, dialect) !== storageClass) return false;
    if (spec.claimRef !== undefined || isDelayed || status.phase !== 'Available') return false;
    return selector === undefined || selector.matches(metadata.labels ?? {});
  };
  const modes = ({ spec }: PersistentVolume): number => spec.accessModes?.length ?? 0;
  return volumes.filter(fits).sort((a, b) => {
    const byPromise = Number(isPromisedTo(b, claim)) - Number(isPromisedTo(a, claim));
    return modes(a) - modes(b) || byPromise || compare(sizeOf(a.spec.capacity), sizeOf(b.spec.capacity));
  })[0];
}

/** Why a volume that a claim asks for by name does not do; undefined when it does. */
export function mismatchOf(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  dialect: Dialect,
): string | undefined {
  if (volume.metadata.deletionTimestamp)
    return `the volume is marked for deletion ${quoteGo(volume.metadata.name ?? '')}`;
  if (sizeOf(volume.spec.capacity) < sizeOf(claim.spec.resources.requests))
    return 'requested PV is too small';
  if (storageClassName(volume, dialect) !== storageClassName(claim, dialect))
    return 'storageClassName does not match';
  if (!hasSameMode(volume, claim)) return 'incompatible volumeMode';
  return hasModes(volume, claim) ? undefined : 'incompatible accessMode';
}

function hasModes({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (claim.spec.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode));
}

const sizeOf = (amounts: Readonly<Record<string, string>> | undefined): bigint =>
  BigInt(quantityValue(parseQuantity(amounts?.storage ?? '0'), 0));

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b));
