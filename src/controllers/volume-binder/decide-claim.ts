import { claimsOfPod, storageClassName } from '../../apis/core/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { findVolume, mismatchOf } from './find-volume.ts';
import { driverInPlaceOf, markClaim } from './migration.ts';
import {
  type BinderEvent,
  type BinderState,
  type BinderStep,
  bindCompleted,
  boundByController,
  isPromisedTo,
  provisionerOf,
} from './state.ts';

/** The next step for a claim; undefined when it is where it should be. Pure. Source: release 1.20, `syncClaim`. */
export function decideClaim(claim: PersistentVolumeClaim, state: BinderState): BinderStep | undefined {
  const marked = markClaim(claim, state);
  if (marked !== undefined) return marked;
  if (claim.metadata.annotations?.[bindCompleted(state.dialect)] !== undefined) {
    return decideBound(claim, state);
  }
  return claim.spec.volumeName ? decideNamed(claim, state) : decideUnbound(claim, state);
}

function decideBound(claim: PersistentVolumeClaim, state: BinderState): BinderStep | undefined {
  const { volumeName = '' } = claim.spec;
  const lost = (reason: string, message: string): BinderStep | undefined =>
    statusStep(claim, 'Lost', undefined, { type: 'Warning', reason, message });
  if (volumeName === '') {
    return lost(
      'ClaimLost',
      'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
    );
  }
  const volume = state.volume(volumeName);
  if (volume === undefined) {
    return lost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  }
  const { claimRef } = volume.spec;
  if (claimRef === undefined || claimRef.uid === claim.metadata.uid) return bind(volume, claim, state);
  return lost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}

/** The claim asks for a volume by name. */
function decideNamed(claim: PersistentVolumeClaim, state: BinderState): BinderStep | undefined {
  const { volumeName = '' } = claim.spec;
  const volume = state.volume(volumeName);
  if (volume === undefined) return statusStep(claim, 'Pending');
  if (isPromisedTo(volume, claim)) return bind(volume, claim, state);
  const warn = (reason: string, message: string): BinderStep =>
    statusStep(claim, 'Pending', undefined, undefined) ?? { events: [{ type: 'Warning', reason, message }] };
  if (volume.spec.claimRef !== undefined) {
    return warn('FailedBinding', `volume ${quoteGo(volumeName)} already bound to a different claim.`);
  }
  const problem = mismatchOf(volume, claim, state.dialect);
  if (problem === undefined) return bind(volume, claim, state);
  return warn('VolumeMismatch', `Cannot bind to requested volume ${quoteGo(volumeName)}: ${problem}`);
}

function decideUnbound(claim: PersistentVolumeClaim, state: BinderState): BinderStep | undefined {
  const { dialect } = state;
  const className = storageClassName(claim, dialect);
  const isDelayed = state.storageClass(className)?.volumeBindingMode === 'WaitForFirstConsumer';
  const volume = findVolume(claim, state.volumes(), { dialect, isDelayed });
  if (volume !== undefined) return bind(volume, claim, state);
  const isPlaced = claim.metadata.annotations?.[dialect.domain('volume', 'selected-node')] !== undefined;
  if (isDelayed && !isPlaced) {
    return statusStep(claim, 'Pending') ?? { events: [consumerEvent(claim, state)] };
  }
  if (className !== '') return provision(claim, className, state);
  const message = 'no persistent volumes available for this claim and no storage class is set';
  const event = { type: 'Normal', reason: 'FailedBinding', message } as const;
  return statusStep(claim, 'Pending') ?? { events: [event] };
}

/** Volumes are made outside: what is missing is said, and who is to make it. */
function provision(claim: PersistentVolumeClaim, className: string, state: BinderState) {
  const { dialect, storageClass } = state;
  const failed = (message: string): BinderStep => ({
    events: [{ type: 'Warning', reason: 'ProvisioningFailed', message }],
  });
  const given = storageClass(className)?.provisioner;
  const provisioner = driverInPlaceOf(given, state) ?? given;
  if (provisioner === undefined) {
    return failed(`storageclass.${dialect.group('storage')} ${quoteGo(className)} not found`);
  }
  if (provisioner.startsWith(dialect.label(''))) {
    return failed(`no volume plugin matched name: ${provisioner}`);
  }
  const mark = provisionerOf(dialect);
  if (claim.metadata.annotations?.[mark] !== provisioner) {
    return claimStep(claim, {}, { [mark]: provisioner });
  }
  const message = `waiting for a volume to be created, either by external provisioner ${quoteGo(provisioner)} or manually created by system administrator`;
  return { events: [{ type: 'Normal', reason: 'ExternalProvisioning', message }] } satisfies BinderStep;
}

function consumerEvent({ metadata }: PersistentVolumeClaim, { podsIn }: BinderState): BinderEvent {
  const users = podsIn(metadata.namespace ?? '').filter((pod) => {
    const { spec, status } = pod;
    if (spec.nodeName || status.phase === 'Succeeded' || status.phase === 'Failed') return false;
    return claimsOfPod(pod).some(({ name }) => name === metadata.name);
  });
  if (users.length === 0) {
    const message = 'waiting for first consumer to be created before binding';
    return { type: 'Normal', reason: 'WaitForFirstConsumer', message };
  }
  const names = users.map((pod) => pod.metadata.name).join(',');
  const message = `waiting for pod${users.length === 1 ? '' : 's'} ${names} to be scheduled`;
  return { type: 'Normal', reason: 'WaitForPodScheduled', message };
}

/** The volume first, then the claim, so that no two claims ever have the same; each part once. */
function bind(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  { dialect }: BinderState,
): BinderStep | undefined {
  const own = boundByController(dialect);
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  if (volume.spec.claimRef?.uid !== uid) {
    const claimRef = {
      kind: 'PersistentVolumeClaim',
      namespace,
      name,
      uid,
      apiVersion: 'v1',
      resourceVersion,
    };
    const annotations = isPromisedTo(volume, claim)
      ? volume.metadata.annotations
      : { ...volume.metadata.annotations, [own]: 'yes' };
    const metadata = { ...volume.metadata, annotations };
    const object = { ...volume, metadata, spec: { ...volume.spec, claimRef } };
    return { write: { kind: 'volume', object, isStatus: false } };
  }
  if (volume.status.phase !== 'Bound') {
    return {
      write: { kind: 'volume', object: { ...volume, status: { phase: 'Bound' } }, isStatus: true },
    };
  }
  const isNamed = claim.spec.volumeName === volume.metadata.name;
  if (!isNamed || claim.metadata.annotations?.[bindCompleted(dialect)] === undefined) {
    const marks = { ...(isNamed ? {} : { [own]: 'yes' }), [bindCompleted(dialect)]: 'yes' };
    return claimStep(claim, { volumeName: volume.metadata.name }, marks);
  }
  return statusStep(claim, 'Bound', volume);
}

function claimStep(
  claim: PersistentVolumeClaim,
  spec: Partial<PersistentVolumeClaim['spec']>,
  marks: Readonly<Record<string, string>>,
): BinderStep {
  const metadata = { ...claim.metadata, annotations: { ...claim.metadata.annotations, ...marks } };
  const object = { ...claim, metadata, spec: { ...claim.spec, ...spec } };
  return { write: { kind: 'claim', object, isStatus: false } };
}

/** The event comes with the change of the phase only. What a bound claim holds may be other than its volume: it was resized. */
function statusStep(
  claim: PersistentVolumeClaim,
  phase: string,
  volume?: PersistentVolume,
  event?: BinderEvent,
): BinderStep | undefined {
  const { accessModes, capacity, ...others } = claim.status;
  const isNew = others.phase !== phase;
  const size = volume?.spec.capacity?.storage;
  const status = {
    ...others,
    phase,
    ...(volume && {
      accessModes: volume.spec.accessModes,
      capacity: isNew && size !== undefined ? { ...capacity, storage: size } : capacity,
    }),
  };
  if (!isNew && deepEqual(status.accessModes, accessModes) && deepEqual(status.capacity, capacity)) {
    return undefined;
  }
  const object = { ...claim, status };
  return { write: { kind: 'claim', object, isStatus: true }, events: isNew && event ? [event] : undefined };
}
