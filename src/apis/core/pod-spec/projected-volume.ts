import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import type {
  ConfigMapProjection,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '../../types/core-v1.ts';
import { checkDownwardFile, checkFileMode, checkKeyToPath } from './volume-files.ts';

const minExpirationSeconds = 600;
const maxExpirationSeconds = 2 ** 32;
const kinds = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'] as const;

/** Errors of a volume that shows several sources in one folder. */
export function checkProjectedVolume(
  errors: FieldError[],
  volume: ProjectedVolumeSource,
  path: FieldPath,
  context: RuleContext,
): void {
  checkFileMode(errors, volume.defaultMode, path.child('defaultMode'));
  const files = new Set<string>();
  /** Two sources may not write one file; the error is at the volume and shows who came second. */
  const claim = (file: string, shown: string): void => {
    if (file === '') return;
    if (files.has(file)) errors.push(invalidValue(path, shown, 'conflicting duplicate paths'));
    files.add(file);
  };
  for (const [position, source] of (volume.sources ?? []).entries()) {
    const at = path.child('sources').index(position);
    checkSource(errors, source, at, claim, context);
    if (source.serviceAccountToken) checkToken(errors, source.serviceAccountToken, path, at);
    if (kinds.filter((kind) => source[kind]).length > 1) {
      errors.push(forbiddenField(at, 'may not specify more than 1 volume type'));
    }
  }
}

function checkSource(
  errors: FieldError[],
  source: VolumeProjection,
  path: FieldPath,
  claim: (file: string, shown: string) => void,
  context: RuleContext,
): void {
  for (const kind of ['secret', 'configMap'] as const) {
    const keys = source[kind];
    if (keys) checkKeys(errors, keys, path.child(kind), claim);
  }
  for (const file of source.downwardAPI?.items ?? []) {
    checkDownwardFile(errors, file, path.child('downwardAPI'), context);
    claim(file.path, file.path);
  }
}

function checkKeys(
  errors: FieldError[],
  keys: ConfigMapProjection,
  path: FieldPath,
  claim: (file: string, shown: string) => void,
): void {
  if (!keys.name) errors.push(required(path.child('name')));
  for (const [position, item] of (keys.items ?? []).entries()) {
    checkKeyToPath(errors, item, path.child('items').index(position));
    claim(item.path, keys.name ?? '');
  }
}

/** A missing path is reported at the volume, as in release 1.20. */
function checkToken(
  errors: FieldError[],
  token: ServiceAccountTokenProjection,
  volumePath: FieldPath,
  sourcePath: FieldPath,
): void {
  const seconds = token.expirationSeconds ?? 0;
  const at = sourcePath.child('serviceAccountToken', 'expirationSeconds');
  if (seconds < minExpirationSeconds) {
    errors.push(invalidValue(at, seconds, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds > maxExpirationSeconds) {
    errors.push(invalidValue(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  if (token.path === '') errors.push(required(volumePath.child('path')));
}
