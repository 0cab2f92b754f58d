import {
  badRequest,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalid,
  notSupported,
  otherFailure,
} from '../machinery/errors/index.ts';

/** Query of a list or watch as the client gave it; empty texts mean not given. */
export interface ListQuery {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly isWatch: boolean;
}

/** Which state a list shows (spec, "Resource versions"). */
export type Consistency =
  | { readonly kind: 'most-recent' }
  | { readonly kind: 'any' }
  | { readonly kind: 'not-older-than'; readonly revision: number }
  | { readonly kind: 'exact'; readonly revision: number };

const path = fieldPath('resourceVersionMatch');

/**
 * Checks the combination of `resourceVersion` and `resourceVersionMatch`.
 *
 * @throws StatusError 422 naming each rule that is broken.
 */
export function validateListQuery(query: ListQuery, metaGroup: string): void {
  const { resourceVersion, resourceVersionMatch: match } = query;
  if (match === '') return;
  const errors: FieldError[] = [];
  if (query.isWatch) errors.push(forbiddenField(path, 'resourceVersionMatch is forbidden for watch'));
  if (resourceVersion === '') {
    errors.push(forbiddenField(path, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if (query.continueToken !== '') {
    errors.push(forbiddenField(path, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    errors.push(notSupported(path, match, ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && resourceVersion === '0') {
    errors.push(forbiddenField(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (errors.length > 0) throw invalid({ group: metaGroup, kind: 'ListOptions' }, '', errors);
}

/**
 * What a list without a continue token must show.
 *
 * @throws StatusError when the version is no number.
 */
export function listConsistency(query: ListQuery): Consistency {
  const { resourceVersion, resourceVersionMatch: match, limit } = query;
  if (resourceVersion === '') return { kind: 'most-recent' };
  if (!/^\d+$/.test(resourceVersion)) throw badVersion(resourceVersion, match === 'Exact' || limit > 0);
  if (resourceVersion === '0') return { kind: 'any' };
  const revision = Number(resourceVersion);
  const isExact = match === 'Exact' || (match === '' && limit > 0);
  return { kind: isExact ? 'exact' : 'not-older-than', revision };
}

function badVersion(text: string, isExact: boolean): Error {
  const detail = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  return isExact ? badRequest(`invalid resource version: ${detail}`) : otherFailure(500, '', detail);
}
