import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import { reportInvalid } from '../../reporting.ts';
import type { Volume } from '../../types/core-v1.ts';
import { isDns1123Label } from '../../validation/index.ts';
import { checkClaimName, createdClaimName } from './claim-template.ts';
import { insideSourcePath, sourceChecks, sourceNames, wholeSourcePath } from './volume-sources.ts';

const maxInitiatorTextBytes = 64;

/** What the checks of volumes need beside the volumes. */
interface VolumeSurroundings {
  /** Unknown in templates. */
  readonly podName: string | undefined;
  readonly context: RuleContext;
}

/** Errors of the volumes of a pod; answers the valid ones by name. */
export function checkVolumes(
  errors: FieldError[],
  volumes: readonly Volume[],
  path: FieldPath,
  options: VolumeSurroundings,
): Map<string, Volume> {
  const valid = new Map<string, Volume>();
  const created = createdClaims(volumes, options.podName);
  for (const [position, volume] of volumes.entries()) {
    const at = path.index(position);
    const before = errors.length;
    checkSource(errors, volume, at, options);
    if (volume.name === '') errors.push(required(at.child('name')));
    else reportInvalid(errors, at.child('name'), volume.name, isDns1123Label(volume.name));
    if (valid.has(volume.name)) errors.push(duplicate(at.child('name'), volume.name));
    if (errors.length === before) valid.set(volume.name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && created.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(invalidValue(at.child('persistentVolumeClaim', 'claimName'), claim, detail));
    }
  }
  return valid;
}

/** Names of the claims that the pod's ephemeral volumes will make. */
function createdClaims(volumes: readonly Volume[], podName: string | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  if (!podName) return names;
  for (const volume of volumes) if (volume.ephemeral) names.add(createdClaimName(podName, volume.name));
  return names;
}

function checkSource(
  errors: FieldError[],
  volume: Volume,
  path: FieldPath,
  { podName, context }: VolumeSurroundings,
): void {
  let count = 0;
  for (const name of setSources(volume)) {
    // A second source is refused without a look inside.
    if (count > 0) {
      errors.push(forbiddenField(wholeSourcePath(name, path), 'may not specify more than 1 volume type'));
    } else {
      sourceChecks[name](errors, volume, insideSourcePath(name, path), context);
      if (name === 'ephemeral') checkClaimName(errors, podName, volume.name, path);
    }
    count += 1;
    if (name === 'iscsi') checkInitiatorText(errors, volume, path);
  }
  if (count === 0) errors.push(required(path, 'must specify a volume type'));
}

/** Sources that are set, in release 1.20's order. Nearly always one, so a look at the keys is the quick way. */
function setSources(volume: Volume): (keyof typeof sourceChecks)[] {
  let count = 0;
  let last = '';
  for (const key in volume) {
    if (key === 'name' || volume[key as keyof Volume] === undefined) continue;
    count += 1;
    last = key;
  }
  // Canonical volumes have no other keys than their name and sources.
  if (count === 1) return [last as keyof typeof sourceChecks];
  return count === 0 ? [] : sourceNames.filter((name) => volume[name] !== undefined);
}

function checkInitiatorText(errors: FieldError[], volume: Volume, path: FieldPath): void {
  if (volume.iscsi?.initiatorName === undefined) return;
  const text = `${volume.name}:${volume.iscsi.targetPortal}`;
  if (Buffer.byteLength(text) <= maxInitiatorTextBytes) return;
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  errors.push(invalidValue(path.child('name'), volume.name, detail));
}
