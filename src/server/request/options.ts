import {
  badRequest,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalid,
  invalidValue,
  notSupported,
  required,
  type StatusError,
  tooLong,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { DeleteOptions, ListQuery } from '../../registry/index.ts';
import { isUnprintable, maxManagerBytes } from './manager-name.ts';
import { isTrue } from './request-info.ts';

/** Options kinds that the meta group has; errors name them. */
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/** Options of a write that are in the query. */
export interface WriteQuery {
  readonly isDryRun: boolean;
  readonly fieldManager: string;
}

/**
 * Reads and checks the options of a create or update.
 *
 * @throws StatusError 422 naming what is not supported.
 */
export function parseWriteQuery(query: URLSearchParams, kind: OptionsKind, metaGroup: string): WriteQuery {
  return checkedWriteQuery(query, { metaGroup, kind, errors: [] });
}

/** Options of a patch that are in the query. */
export interface PatchQuery extends WriteQuery {
  /** Whether an apply takes over fields of other managers (`force`). */
  readonly isForced: boolean;
}

/**
 * Reads and checks the options of a patch: an applied configuration needs a manager, and nothing else can be forced.
 *
 * @throws StatusError 422 naming what is missing or not supported.
 */
export function parsePatchQuery(query: URLSearchParams, isApply: boolean, metaGroup: string): PatchQuery {
  const force = query.get('force');
  const errors: FieldError[] = [];
  if (!isApply && force !== null) {
    errors.push(forbiddenField(fieldPath('force'), 'may not be specified for non-apply patch'));
  }
  if (isApply && !query.get('fieldManager')) {
    errors.push(required(fieldPath('fieldManager'), 'is required for apply patch'));
  }
  const options = checkedWriteQuery(query, { metaGroup, kind: 'PatchOptions', errors });
  return { ...options, isForced: force !== null && isTrue(force) };
}

interface WriteQueryCheck {
  readonly metaGroup: string;
  readonly kind: OptionsKind;
  /** What was found already. */
  readonly errors: readonly FieldError[];
}

function checkedWriteQuery(
  query: URLSearchParams,
  { metaGroup, kind, errors: found }: WriteQueryCheck,
): WriteQuery {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const errors: FieldError[] = [...found, ...fieldManagerErrors(fieldManager), ...dryRunErrors(dryRun)];
  if (errors.length > 0) throw invalid({ group: metaGroup, kind }, '', errors);
  return { isDryRun: dryRun.includes('All'), fieldManager };
}

/** Field errors of a list of dry-run stages. */
function dryRunErrors(stages: readonly string[]): FieldError[] {
  if (stages.every((stage) => stage === 'All')) return [];
  const shown = new VerbatimValue(`[]string{${stages.map((stage) => JSON.stringify(stage)).join(', ')}}`);
  return [notSupported(fieldPath('dryRun'), shown, ['All'])];
}

function fieldManagerErrors(manager: string): FieldError[] {
  const path = fieldPath('fieldManager');
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > maxManagerBytes) errors.push(tooLong(path, manager, maxManagerBytes));
  let position = 0;
  for (const character of manager) {
    if (isUnprintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidValue(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

/**
 * Integer of 64 bits of a query parameter; undefined when absent. Beyond 2^53 the result is the nearest double.
 *
 * @throws StatusError 400 with release 1.20's text, for an empty one too.
 */
export function parseIntQuery(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badInteger(text, 'invalid syntax');
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  const exact = BigInt(text.replace('+', ''));
  if (BigInt.asIntN(64, exact) !== exact) throw badInteger(text, 'value out of range');
  return exact < 0n ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
}

function badInteger(text: string, why: string): StatusError {
  return badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
}

/**
 * Options of a list or watch that are in the query, whatever the path says is done; selectors are read elsewhere.
 */
export function parseListQuery(query: URLSearchParams): ListQuery & { timeoutSeconds?: number | undefined } {
  const timeoutSeconds = parseIntQuery(query, 'timeoutSeconds');
  return {
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    limit: Math.max(0, parseIntQuery(query, 'limit') ?? 0),
    continueToken: query.get('continue') ?? '',
    isWatch: isTrue(query.get('watch')),
    ...sendInitialEvents(query),
    timeoutSeconds,
  };
}

function sendInitialEvents(query: URLSearchParams): { sendInitialEvents?: boolean } {
  const text = query.get('sendInitialEvents');
  return text === null || text === '' ? {} : { sendInitialEvents: isTrue(text) };
}

/** The body of a deletion, as far as it was decoded. */
export interface DeleteBody {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly dryRun?: readonly string[];
}

/**
 * Options of a deletion: the body when there is one, else the query.
 *
 * @throws StatusError 400 or 422 with release 1.20's texts.
 */
export function parseDeleteOptions(
  query: URLSearchParams,
  body: DeleteBody | undefined,
  metaGroup: string,
): { readonly deleteOptions: DeleteOptions; readonly isDryRun: boolean } {
  const options = body ?? deleteQuery(query);
  const dryRun = options.dryRun ?? query.getAll('dryRun');
  const errors = [...policyErrors(options), ...dryRunErrors(dryRun)];
  if (errors.length > 0) throw invalid({ group: metaGroup, kind: 'DeleteOptions' }, '', errors);
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy } = options;
  return {
    deleteOptions: {
      gracePeriodSeconds,
      preconditions,
      orphanDependents,
      propagationPolicy: propagationPolicy as DeleteOptions['propagationPolicy'], // checked by policyErrors
    },
    isDryRun: dryRun.includes('All'),
  };
}

function deleteQuery(query: URLSearchParams): DeleteBody {
  const gracePeriodSeconds = parseIntQuery(query, 'gracePeriodSeconds');
  const propagationPolicy = query.get('propagationPolicy');
  const orphanDependents = query.get('orphanDependents');
  const preconditions = preconditionsOf(query);
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(propagationPolicy === null ? {} : { propagationPolicy }),
    ...(orphanDependents === null ? {} : { orphanDependents: isTrue(orphanDependents) }),
  };
}

/** In the query they stand by themselves; empty ones count for nothing. */
function preconditionsOf(query: URLSearchParams): DeleteBody['preconditions'] {
  const uid = query.get('uid') ?? '';
  const resourceVersion = query.get('resourceVersion') ?? '';
  if (uid === '' && resourceVersion === '') return undefined;
  return { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) };
}

const policies = ['Foreground', 'Background', 'Orphan'];

function policyErrors(options: DeleteBody): FieldError[] {
  const path = fieldPath('propagationPolicy');
  const { propagationPolicy, orphanDependents } = options;
  const errors: FieldError[] = [];
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push(
      invalidValue(path, propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {
    errors.push(notSupported(path, propagationPolicy, [...policies, 'nil']));
  }
  return errors;
}
