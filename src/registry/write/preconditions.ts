import {
  badRequest,
  conflict,
  fieldPath,
  invalid,
  invalidValue,
  otherFailure,
  quoteGo,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { groupResourceOf, type ServedKind } from '../resource-store.ts';

/** @throws StatusError 409 when the stored object is not the one that a PUT expects, or there is none. */
export function checkUid(
  served: ServedKind,
  request: {
    readonly name: string;
    readonly expectedUid?: string | undefined;
    readonly options: { readonly isDryRun: boolean };
  },
  old: ApiObject | undefined,
  key: string,
): void {
  const { expectedUid } = request;
  const uid = old?.metadata.uid ?? '';
  if (!expectedUid || expectedUid === uid) return;
  // Release 1.20 knows the prefix of all keys only where it writes.
  const shownKey = request.options.isDryRun ? key.slice(served.store.root.length - 1) : key;
  const detail = `Precondition failed: UID in precondition: ${expectedUid}, UID in object meta: ${uid}`;
  throw conflict(
    groupResourceOf(served),
    request.name,
    `StorageError: invalid object, Code: 4, Key: ${shownKey}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`,
  );
}

/** The version that a client sent; 0 for none. @throws StatusError 500 for text that is no number. */
export function readVersion(given = ''): number {
  if (given !== '' && !/^\d+$/.test(given))
    throw otherFailure(500, '', `strconv.ParseUint: parsing ${quoteGo(given)}: invalid syntax`);
  return Number(given);
}

/**
 * Compares the version that the client saw with the stored one. 0 and none mean any version.
 *
 * @throws StatusError 409 when they differ, 422 for kinds that need one, 500 for text that is no number.
 */
export function checkVersion(
  served: ServedKind,
  given: string | undefined,
  revision: number,
  name: string,
): void {
  const version = readVersion(given);
  if (version === 0) {
    if (served.store.rules.allowsUnconditionalUpdate !== false) return;
    const path = fieldPath('metadata', 'resourceVersion');
    const { group, resource } = groupResourceOf(served);
    throw invalid({ group, kind: resource }, name, [
      // Release 1.20 prints this zero in the notation of unsigned numbers.
      invalidValue(path, new VerbatimValue('0x0'), 'must be specified for an update'),
    ]);
  }
  if (version !== revision) throw lostRace(served, name);
}

/** 409 for a write that came too late. */
export function lostRace(served: ServedKind, name: string): Error {
  return conflict(
    groupResourceOf(served),
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

/** @throws StatusError 400 when the body names another object than the path. */
export function checkNames(object: ApiObject, namespace: string, name: string): void {
  const { metadata } = object;
  const givenName = metadata.name ?? '';
  if (givenName === '') {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (givenName !== name) {
    throw badRequest(`the name of the object (${givenName}) does not match the name on the URL (${name})`);
  }
  const givenNamespace = metadata.namespace ?? '';
  if (namespace === '' || givenNamespace === '' || givenNamespace === namespace) return;
  throw badRequest(
    `the namespace of the object (${givenNamespace}) does not match the namespace on the request (${namespace})`,
  );
}
