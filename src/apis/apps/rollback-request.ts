import { type FieldError, fieldPath } from '../../machinery/errors/index.ts';
import type { Deployment } from '../types/apps-v1.ts';
import { type AnnotatedNumber, negativeErrors, readNumber, writeNumber } from './annotated-number.ts';

/** Asks for a rollback of a deployment to a revision; `apps/v1` has no field for it any more. */
const annotation = 'deprecated.deployment.rollback.to';
const request: AnnotatedNumber = {
  annotation,
  kind: 'Deployment',
  describe: (text, reason) => `failed to parse annotation[${annotation}]=${text} as int64: ${reason}`,
};
/** Release 1.20 calls it by names of before its first version. */
const path = fieldPath('spec', 'rollback', 'version');

/** Writes the revision as Go does. @throws StatusError 400 for one that is no number. */
export function settleRollback({ metadata }: Deployment): void {
  if (!metadata.annotations?.[annotation]) return;
  const revision = readNumber(metadata, request);
  if (revision !== undefined) writeNumber(metadata, annotation, revision);
}

/** The error of a revision below zero. */
export const rollbackErrors = ({ metadata }: Deployment): FieldError[] =>
  negativeErrors(metadata, annotation, path);

/** Puts the request of the old object back: it is a part of the specification. */
export function keepRollback({ metadata }: Deployment, old: Deployment): void {
  const { [annotation]: given, ...annotations } = metadata.annotations ?? {};
  const kept = old.metadata.annotations?.[annotation];
  if (given === kept) return;
  if (kept !== undefined) metadata.annotations = { ...annotations, [annotation]: kept };
  else if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
  else delete metadata.annotations;
}
