import type { Steps } from '../../base/index.ts';
import { decodeObject, describeTypeMetaFault } from '../../machinery/codec/index.ts';
import { internalError, otherFailure } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { copyOf, keepReceivedWithin } from '../../machinery/schema/index.ts';
import type { ServedKind } from '../resource-store.ts';
import { canonicalOf } from '../versions.ts';
import type { Body } from './body.ts';

declare const isDecoded: unique symbol;

/**
 * An object of a served version, decoded, with its defaults: what owners, admission and rules work on. Only this file
 * makes one, so that no way to write can forget a step.
 */
export type DecodedObject = ApiObject & { readonly [isDecoded]: true };

/** The object of a body. @throws StatusError 400 when it is none of this kind. */
export function* decodeWritten(served: ServedKind, body: Body): Steps<DecodedObject> {
  const object = yield* served.store.decodeBody(body, served.kind);
  yield;
  return withDefaults(served, object);
}

/**
 * An object that somebody else has changed, as a served version has it: as it came, and with its defaults.
 *
 * @throws StatusError 500 in release 1.20's words when it is none of this kind.
 */
export function decodeChanged(
  served: ServedKind,
  value: unknown,
): { readonly decoded: ApiObject; readonly object: DecodedObject } {
  const { catalog, dialect } = served.store.environment.ruleContext;
  const fault = describeTypeMetaFault(value);
  if (fault !== undefined) throw internalError(fault);
  const decoded = decodeObject({ value, catalog, dialect, expected: served.kind, refusal: refusalOfChanged });
  return { decoded, object: withDefaults(served, copyOf(decoded)) };
}

/** That a change made another kind of the object is noticed outside of what calls an error an internal one. */
const refusalOfChanged = (cause: string, isOtherKind = false): Error =>
  isOtherKind ? otherFailure(500, '', cause) : internalError(cause);

/**
 * An object that was decoded, or that was stored and changed by code, as release 1.20's own form has it: its defaults are
 * set in place. The object is used up.
 */
export function withDefaults(
  served: ServedKind,
  object: ApiObject,
  settings?: Parameters<ServedKind['applyDefaults']>[1],
): DecodedObject {
  served.applyDefaults(object, settings);
  const settled = served.settle?.(object) ?? object;
  const canonical = settled === object ? object : settledAs(served, object, settled);
  // The brand exists in the type only: it says that the steps above were taken.
  return canonical as DecodedObject;
}

/** What became of an object, in canonical form: that the request had lists empty stays known, and so does an empty record of owners. */
function settledAs(served: ServedKind, { metadata, ...rest }: ApiObject, settled: ApiObject): ApiObject {
  const canonical = canonicalOf(served, settled);
  keepReceivedWithin({ metadata, ...rest }, canonical);
  if (metadata.managedFields?.length === 0) canonical.metadata.managedFields = [];
  return canonical;
}
