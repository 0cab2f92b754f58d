import type { PersistentVolume } from '../../apis/types/core-v1.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { driverInPlaceOf, markVolume } from './migration.ts';
import { recyclingPodOf, usersOf } from './recycling-pod.ts';
import {
  type BinderEvent,
  type BinderState,
  type BinderStep,
  boundByController,
  hasSameMode,
  provisionedBy,
} from './state.ts';

/** The next step for a volume; undefined when it is where it should be. Pure. Source: release 1.20, `syncVolume`. */
export function decideVolume(volume: PersistentVolume, state: BinderState): BinderStep | undefined {
  const marked = markVolume(volume, state);
  if (marked !== undefined) return marked;
  const { claimRef } = volume.spec;
  // Promised by an operator: the claim itself completes the binding.
  if (!claimRef?.uid) return phaseStep(volume, 'Available');
  const found = state.claim(claimRef.namespace ?? '', claimRef.name ?? '');
  const claim = found?.metadata.uid === claimRef.uid ? found : undefined;
  if (claim === undefined) return reclaim(volume, state);
  if (!claim.spec.volumeName) {
    if (hasSameMode(volume, claim)) return undefined;
    const on = (subject: string, object: string, name: string): string =>
      `Cannot bind ${subject} to requested ${object}${name} due to incompatible volumeMode.`;
    const about = { type: 'Warning', reason: 'VolumeMismatch' } as const;
    const { name = '' } = volume.metadata;
    const claimName = ` ${quoteGo(claim.metadata.name ?? '')}`;
    return {
      events: [
        { ...about, message: on('PersistentVolume', 'PersistentVolumeClaim', claimName) },
        { ...about, claim, message: on(`PersistentVolume ${quoteGo(name)}`, 'PersistentVolumeClaim', '') },
      ],
    };
  }
  if (claim.spec.volumeName === volume.metadata.name) return phaseStep(volume, 'Bound');
  const isMade = volume.metadata.annotations?.[provisionedBy(state.dialect)] !== undefined;
  if (isMade && volume.spec.persistentVolumeReclaimPolicy === 'Delete') return reclaim(volume, state);
  return { write: { kind: 'volume', object: unbound(volume, state), isStatus: false } };
}

/** The claim found another volume: this one is free again, or promised as it was. */
function unbound(volume: PersistentVolume, { dialect }: BinderState): PersistentVolume {
  const { [boundByController(dialect)]: own, ...annotations } = volume.metadata.annotations ?? {};
  const { claimRef, ...spec } = volume.spec;
  if (own === undefined) {
    const { uid, ...promise } = claimRef ?? {};
    return { ...volume, spec: { ...spec, claimRef: promise } };
  }
  return { ...volume, metadata: { ...volume.metadata, annotations }, spec };
}

function reclaim(volume: PersistentVolume, state: BinderState): BinderStep | undefined {
  const { dialect } = state;
  const { metadata, spec, status } = volume;
  if (status.phase !== 'Released' && status.phase !== 'Failed') return phaseStep(volume, 'Released');
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') return recycle(volume, state);
  if (spec.persistentVolumeReclaimPolicy !== 'Delete' || metadata.deletionTimestamp) return undefined;
  const maker = metadata.annotations?.[provisionedBy(dialect)];
  // Whoever made it deletes it.
  if (maker !== undefined && !maker.startsWith(dialect.label(''))) return undefined;
  if (driverInPlaceOf(maker, state) !== undefined) return undefined;
  if (spec.csi !== undefined) return undefined;
  const path = spec.hostPath?.path;
  if (path !== undefined && /^\/tmp\/.+/.test(path)) return { write: { kind: 'deletion', object: volume } };
  const message =
    path === undefined
      ? `error getting deleter volume plugin for volume ${quoteGo(metadata.name ?? '')}: no deletable volume plugin matched`
      : `host_path deleter only supports /tmp/.+ but received provided ${path}`;
  return phaseStep(volume, 'Failed', { type: 'Warning', reason: 'VolumeFailedDelete', message });
}

function recycle(volume: PersistentVolume, state: BinderState): BinderStep | undefined {
  const { claimRef } = volume.spec;
  const users = usersOf(volume, state);
  // Those of a later claim of that name use another volume.
  if (users.length > 0 && state.claim(claimRef?.namespace ?? '', claimRef?.name ?? '') === undefined) {
    const message = `Volume is used by pods: ${users.join(',')}`;
    return { events: [{ type: 'Normal', reason: 'VolumeFailedRecycle', message }] };
  }
  if (recyclingPodOf(volume) !== undefined) return { write: { kind: 'recycling', object: volume } };
  return failedRecycling(volume, 'No recycler plugin found for the volume!');
}

/** What becomes of a volume that a pod emptied, or could not empty for a reason. Pure. */
export function decideRecycled(
  volume: PersistentVolume,
  problem: string | undefined,
  state: BinderState,
): BinderStep | undefined {
  if (problem !== undefined) return failedRecycling(volume, `Recycle failed: ${problem}`);
  const write = { kind: 'volume', object: unbound(volume, state), isStatus: false } as const;
  return { write, events: [{ type: 'Normal', reason: 'VolumeRecycled', message: 'Volume recycled' }] };
}

const failedRecycling = (volume: PersistentVolume, message: string): BinderStep | undefined =>
  phaseStep(volume, 'Failed', { type: 'Warning', reason: 'VolumeFailedRecycle', message });

/** A phase is written once; its event comes with it. */
function phaseStep(volume: PersistentVolume, phase: string, event?: BinderEvent): BinderStep | undefined {
  if (volume.status.phase === phase) return undefined;
  const status = { phase, ...(event && { message: event.message }) };
  return {
    write: { kind: 'volume', object: { ...volume, status }, isStatus: true },
    events: event && [event],
  };
}
