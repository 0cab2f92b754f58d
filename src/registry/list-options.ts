import {
  type FieldError,
  fieldPath,
  forbiddenField,
  invalid,
  notSupported,
} from '../machinery/errors/index.ts';
import { parseTime, TimeError } from '../machinery/values/index.ts';
import { parseResourceVersion } from './resource-version.ts';

/** Query of a list or watch as the client gave it; empty texts mean not given. */
export interface ListQuery {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly isWatch: boolean;
  /** Whether a watch begins with the present state (streaming lists of later releases); undefined when not given. */
  readonly sendInitialEvents?: boolean | undefined;
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
  const { resourceVersionMatch: match, isWatch } = query;
  const isStreamingList = isWatch && query.sendInitialEvents !== undefined;
  if (match === '' && !isStreamingList) return;
  const errors = isStreamingList ? streamingListErrors(query) : versionMatchErrors(query);
  if (errors.length > 0) throw invalid({ group: metaGroup, kind: 'ListOptions' }, '', errors);
}

function versionMatchErrors(query: ListQuery): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match, isWatch } = query;
  const errors: FieldError[] = [];
  if (isWatch) errors.push(forbiddenField(path, 'resourceVersionMatch is forbidden for watch'));
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
  return errors;
}

/**
 * The time of a list of what was at a time: `resourceVersion=@2026-01-02T15:04:05Z&resourceVersionMatch=Exact`, which no
 * other client asks for; in milliseconds since the Unix epoch. Undefined for any other list.
 */
export function listTime({ resourceVersion, resourceVersionMatch }: ListQuery): number | undefined {
  if (resourceVersionMatch !== 'Exact' || !resourceVersion.startsWith('@')) return undefined;
  try {
    return parseTime(resourceVersion.slice(1));
  } catch (error) {
    if (error instanceof TimeError) return undefined; // no version either
    throw error;
  }
}

/**
 * What a list without a continue token must show. Without a cache there is nothing older than the store's newest state.
 *
 * @throws StatusError when the version is no number.
 */
export function listConsistency(query: ListQuery, isUncached = false): Consistency {
  const { resourceVersion, resourceVersionMatch: match, limit } = query;
  if (resourceVersion === '') return { kind: 'most-recent' };
  if (resourceVersion === '0') return { kind: isUncached ? 'most-recent' : 'any' };
  const isExact = match === 'Exact' || (match === '' && limit > 0);
  const revision = parseResourceVersion(
    resourceVersion,
    isExact || limit > 0 || isUncached ? 'store' : 'cache',
  );
  return { kind: isExact ? 'exact' : 'not-older-than', revision };
}

/** Source: the watch-list enhancement (KEP-3157) of later releases. */
function streamingListErrors(query: ListQuery): FieldError[] {
  const errors: FieldError[] = [];
  if (query.resourceVersionMatch !== 'NotOlderThan') {
    const rule = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
    errors.push(forbiddenField(fieldPath('sendInitialEvents'), rule));
  }
  if (query.continueToken !== '') {
    errors.push(forbiddenField(path, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  return errors;
}
