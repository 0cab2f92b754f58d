import { type Steps, takeSteps } from '../../base/index.ts';
import {
  type AppliedObject,
  type ApplySchema,
  ConversionError,
  createApplySchemaCompiler,
  createFieldManager,
  createUntypedSchema,
  type FieldManager,
} from '../../machinery/apply/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { wrapIntegers } from '../../machinery/patch/strategic/index.ts';
import {
  DecodeError,
  formatGroupVersion,
  parseGroupVersion,
  type TypeCatalog,
} from '../../machinery/schema/index.ts';
import { formatNow, type ServedKind } from '../resource-store.ts';
import { fromStorageVersion, toStorageVersion } from '../versions.ts';
import { misfitMessage } from './misfit.ts';

type Json = Record<string, unknown>;

/** What the records of owners are made from. */
export interface FieldManagerSources {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  /** Served kinds by `group/version/resource`; asked only when a request needs them. */
  readonly served: ReadonlyMap<string, ServedKind>;
  /** A custom kind in a version of it, and how its objects are seen. */
  readonly findCustom: (
    apiVersion: string,
    kind: string,
  ) => { readonly served: ServedKind; readonly views: ApplySchema } | undefined;
}

const anyObject = createUntypedSchema();

/** Knows the types of all kinds of the catalog, and converts between the versions that are served. */
export function createOwnerRecords({
  dialect,
  catalog,
  served,
  findCustom,
}: FieldManagerSources): FieldManager {
  const compiler = createApplySchemaCompiler(catalog);
  let kinds: ReadonlyMap<string, ServedKind> | undefined;
  const servedKind = (apiVersion: string, kind: string): ServedKind | undefined => {
    kinds ??= new Map(
      [...served.values()].map((one) => [
        `${formatGroupVersion(one.kind.group, one.kind.version)} ${one.kind.kind}`,
        one,
      ]),
    );
    return kinds.get(`${apiVersion} ${kind}`) ?? findCustom(apiVersion, kind)?.served;
  };
  return createFieldManager({
    schemaOf(apiVersion, kind, resourceKind = kind) {
      const version = parseGroupVersion(apiVersion);
      const type = version && catalog.kind({ ...version, kind });
      if (type !== undefined && type.isUnstructured !== true) return compiler.compile(type);
      const custom = findCustom(apiVersion, resourceKind);
      if (kind === resourceKind) return custom?.views;
      // Of others than built-in kinds release 1.20 knows only the one that is written, and its list.
      return kind === custom?.served.listKind ? anyObject : undefined;
    },
    convert(object, toApiVersion) {
      const kind = String(object.kind);
      const from = servedKind(String(object.apiVersion), kind);
      const to = servedKind(toApiVersion, kind);
      if (from === undefined || to === undefined || from.store !== to.store) return undefined;
      // Release 1.20 knows the types below `/api` and below `/apis` apart: owners in the other of them are gone.
      if ((from.kind.group === '') !== (to.kind.group === '')) return undefined;
      const copy = decodeForConversion(object, from, catalog);
      return to.type.canonicalize(fromStorageVersion(to, toStorageVersion(from, copy)));
    },
    lastApplied: { manager: dialect.spell('ctl'), annotation: dialect.lastAppliedAnnotation },
  });
}

/** A tree of its own, which conversions may reuse. @throws ConversionError for what does not fit the type. */
function decodeForConversion(object: Json, { kind, type }: ServedKind, catalog: TypeCatalog): ApiObject {
  try {
    // A kind's type decodes to objects with metadata.
    const value = type.decodeLeniently?.(object) ?? wrapIntegers(object, type, catalog);
    return type.decode(value) as unknown as ApiObject;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ConversionError(misfitMessage(object, { kind, type, catalog, decodeMessage: error.message }));
  }
}

/** A write whose owners are recorded. */
export interface OwnedWrite {
  /** The stored object in canonical form, in the served version; undefined for a new one. Not changed. */
  readonly live: ApiObject | undefined;
  /** The object as the request has it, in the served version; its record is replaced. */
  readonly object: ApiObject;
  readonly manager: string;
  /** '' for the whole object: what a subresource is sent of the record does not count. */
  readonly subresource?: string;
}

/**
 * Writes into the object who owns which of its fields after a create, update or patch. Where owners are not
 * recorded the object has no record any more: one that is not kept up to date would be wrong.
 */
export function* recordOwners(
  served: ServedKind,
  { live, object, manager, subresource = '' }: OwnedWrite,
): Steps<void> {
  const { fieldManager, environment, rules } = served.store;
  if (!isKnownKind(object, served)) {
    object.metadata.managedFields = undefined;
    return;
  }
  if (fieldManager !== undefined && rules.keepsSentOwners === true) {
    if (object.metadata.managedFields?.length === 0) object.metadata.managedFields = undefined;
    return;
  }
  object.metadata.managedFields =
    fieldManager === undefined
      ? undefined
      : yield* fieldManager.recordUpdate({
          live: live && asJson(live),
          object: asJson(object),
          sent: subresource === '' ? sentOwners(object, served) : live === undefined ? [] : undefined,
          manager,
          apiVersion: apiVersionOf(served),
          now: formatNow(environment.nowMs()),
        });
}

/** Of what a patch has made of an object of a kind that takes any members, nobody knows whose it is when it says so. */
function isKnownKind({ kind, apiVersion }: ApiObject, served: ServedKind): boolean {
  if (served.type.isUnstructured !== true) return true;
  if (kind !== served.kind.kind) return false;
  return served.store.versions().some((one) => apiVersionOf(one) === apiVersion);
}

/** Release 1.20 reads the metadata of kinds that take any members in a way that does not tell an empty list from none. */
function sentOwners({ metadata }: ApiObject, { type }: ServedKind): ApiObject['metadata']['managedFields'] {
  const { managedFields: sent } = metadata;
  return type.isUnstructured === true && sent?.length === 0 ? undefined : sent;
}

/** Writes into an object that is only answered, not stored, what the manager of its request owns. */
export function recordNewOwners(
  fieldManager: FieldManager | undefined,
  {
    object,
    manager,
    nowMs,
  }: { readonly object: ApiObject; readonly manager: string; readonly nowMs: number },
): void {
  const input = {
    live: undefined,
    object: asJson(object),
    sent: object.metadata.managedFields,
    manager,
    apiVersion: object.apiVersion,
    now: formatNow(nowMs),
  };
  object.metadata.managedFields = fieldManager && takeSteps(fieldManager.recordUpdate(input));
}

/** A configuration to apply. */
export interface Configuration {
  /** The object as it is, in the version of the configuration; undefined when there is none. Not changed. */
  readonly live: ApiObject | undefined;
  readonly config: Json;
  readonly manager: string;
  readonly isForced: boolean;
  /** Version of live object and configuration. */
  readonly apiVersion: string;
  /** Kind of the live object. */
  readonly kind: string;
}

/**
 * Merges a configuration into an object. The result is neither decoded nor defaulted.
 *
 * @throws StatusError 409 with the conflicts; 400 and 500 for what is no configuration of the kind.
 * @throws RangeError where owners are not recorded.
 */
export function applyConfiguration({ store }: ServedKind, request: Configuration): Steps<AppliedObject> {
  if (store.fieldManager === undefined) throw new RangeError('apply without a record of owners');
  const { live } = request;
  const now = formatNow(store.environment.nowMs());
  return store.fieldManager.applyConfiguration({ ...request, live: live && asJson(live), now });
}

const apiVersionOf = ({ kind }: ServedKind): string => formatGroupVersion(kind.group, kind.version);

/** An object of the API is a JSON object. */
const asJson = (object: ApiObject): Json => object as unknown as Json;
