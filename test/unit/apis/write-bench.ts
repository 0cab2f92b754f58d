import { createTypeCatalog } from '../../../src/apis/catalog.ts';
import { versionConversions } from '../../../src/apis/conversions/index.ts';
import { createDefaulter } from '../../../src/apis/defaults/index.ts';
import { type KindRules, kindRules, type RuleContext, updateChecksOf } from '../../../src/apis/index.ts';
import { createResourceTable } from '../../../src/apis/resources/index.ts';
import {
  standardFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../../src/apis/validation/index.ts';
import { orchDialect as dialect } from '../../../src/machinery/dialect.ts';
import { fieldPath } from '../../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../../src/machinery/meta/index.ts';
import { parseJsonPointer } from '../../../src/machinery/patch/index.ts';
import { copyOf, parseGroupVersion } from '../../../src/machinery/schema/index.ts';
import { defaultGates } from '../../support/default-gates.ts';

type Fields = Record<string, unknown>;

const gates = defaultGates();
const catalog = createTypeCatalog(dialect);
const applyDefaults = createDefaulter({ dialect, catalog, gates });
const conversions = versionConversions(dialect, catalog);
const resources = createResourceTable({ dialect, gates, runtimeConfig: { 'api/all': 'true' } });

/** An object as clients send it. */
export interface Body extends Fields {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Fields;
}

/** Values by JSON pointer; `undefined` leaves the field out. */
export type Change = Readonly<Record<string, unknown>>;

/** A copy of `body` with the change made. Objects on the way to a field are made where they are absent. */
export function withChange<T>(body: T, change: Change): T {
  const copy = copyOf(body);
  for (const [pointer, value] of Object.entries(change)) {
    const path = parseJsonPointer(pointer);
    const last = path.pop() ?? '';
    let place = copy as Fields; // pointers of tests lead through objects and lists only
    for (const name of path) {
      place[name] ??= {};
      place = place[name] as Fields;
    }
    if (value !== undefined) place[last] = copyOf(value);
    else if (Array.isArray(place)) place.splice(Number(last), 1);
    else delete place[last];
  }
  return copy;
}

/** A change in words for titles. */
export function describeChange(change: Change): string {
  const parts = Object.entries(change).map(([pointer, value]) => {
    const text = value === undefined ? 'left out' : JSON.stringify(value);
    const name = parseJsonPointer(pointer).join('.');
    return `${name}: ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`;
  });
  return parts.length === 0 ? 'no change' : parts.join(', ');
}

/** What the rules know of a kind that a body names. */
function kindOf({ apiVersion, kind }: Body) {
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const resource = resources.byKind({ group, version, kind });
  const type = catalog.kind({ group, version, kind });
  if (resource?.storage === undefined || type === undefined) throw new RangeError(`no kind ${kind}`);
  const { storage } = resource;
  const storageVersion = storage.group === '' ? storage.version : `${storage.group}/${storage.version}`;
  const rules = kindRules[`${storageVersion}.${storage.kind}`];
  if (rules === undefined) throw new RangeError(`no rules for ${kind}`);
  return {
    key: `${apiVersion}.${kind}`,
    type,
    storageVersion,
    isNamespaced: resource.namespaced,
    // The body is of the kind that the rules are for.
    rules: rules as unknown as KindRules,
  };
}

const contextOf = (apiVersion: string, overrides: Partial<RuleContext>): RuleContext => ({
  dialect,
  catalog,
  gates,
  now: '2021-02-03T04:05:06Z',
  user: { name: 'admin', uid: 'admin', groups: ['system:masters'], extra: {} },
  allowsPrivileged: true,
  requestApiVersion: apiVersion,
  ...overrides,
});

/** A body in the storage version: decoded, with defaults. */
function received(body: Body): ApiObject {
  const { key, type, storageVersion } = kindOf(body);
  const object = type.decode(copyOf(body)) as unknown as ApiObject; // the type is a kind's
  applyDefaults(key, object);
  const stored = conversions.get(key)?.toStorage(object) ?? object;
  return Object.assign(stored, { apiVersion: storageVersion });
}

/** Sets what only the server sets. */
function fillMetadata({ metadata }: ApiObject, isNamespaced: boolean): void {
  if (isNamespaced) metadata.namespace ||= 'default';
  else delete metadata.namespace;
  metadata.uid = 'uid-1';
  for (const name of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'clusterName'] as const)
    delete metadata[name];
  delete metadata.managedFields;
}

/** What became of a write: the object in the storage version, and what is wrong with it. */
export interface Written {
  readonly object: ApiObject;
  readonly errors: readonly string[];
}

/** Decodes, defaults, prepares and validates a new object, metadata included, as the registry does. */
export function create(body: Body, overrides: Partial<RuleContext> = {}): Written {
  const { rules, isNamespaced } = kindOf(body);
  const object = received(body);
  const context = contextOf(body.apiVersion, overrides);
  if (rules.hasStatus === true && rules.keepsStatusOnCreate !== true && 'status' in object)
    object.status = {};
  fillMetadata(object, isNamespaced);
  if (rules.hasGeneration === true) object.metadata.generation = 1;
  rules.prepareForCreate?.(object, context);
  const validateName = (name: string, isPrefix: boolean) => rules.validateName(name, isPrefix, object);
  const meta = { isNamespaced, validateName, standardFinalizers: standardFinalizersOf(rules) };
  const metadataErrors = validateObjectMeta(object.metadata, meta, metadataPath);
  const ownErrors = rules.validate?.(object, context) ?? [];
  const hasFirst = rules.checksMetadataLast !== true || ownErrors.length === 0;
  const errors = [...(hasFirst ? metadataErrors : []), ...ownErrors];
  if (errors.length === 0) errors.push(...(rules.validateLast?.(object, undefined, context) ?? []));
  rules.canonicalize?.(object);
  const found = rules.isCheckedTwice === true ? [...errors, ...errors] : errors;
  return { object, errors: found.map(String) };
}

const metadataPath = fieldPath('metadata');

const standardFinalizersOf = ({ allowsAnyFinalizer }: KindRules) =>
  allowsAnyFinalizer === true ? undefined : standardFinalizers(dialect);

/** An object that is stored, and how it is to change. */
export interface StoredChange {
  readonly body: Body;
  /** Status that a write of the status tells, with the change. */
  readonly status?: unknown;
  readonly change: Change;
}

/** Prepares and validates a change of a stored object by the kind's own checks, in its order; `way` names a subresource. */
export function update(
  { body, status, change }: StoredChange,
  { way = '', ...overrides }: Partial<RuleContext> & { readonly way?: string } = {},
): Written {
  const { rules, isNamespaced } = kindOf(body);
  const stored = create(body, overrides).object;
  stored.metadata.resourceVersion = '7';
  const shown = served(stored, body) as Body; // what is served is a body of the same kind
  const told = way === 'status' && status !== undefined ? { ...shown, status } : shown;
  const old = received(shown);
  const object = received(withChange(told, change));
  const context = contextOf(body.apiVersion, overrides);
  keepOtherFields(object, old, way === 'status', rules.hasStatus === true);
  const write = way === '' ? rules : way === 'status' ? rules.status : rules.subresources?.[way];
  write?.prepareForUpdate?.(object, old, context);
  const { storageVersion } = kindOf(body);
  const errors = updateChecksOf(`${storageVersion}.${body.kind}`, way).flatMap((check) => {
    if (check === 'new') return rules.validate?.(object, context) ?? [];
    if (check === 'kept') return write?.validateKept?.(object, old, context) ?? [];
    if (check === 'rules') return write?.validateUpdate?.(object, old, context) ?? [];
    const { metadata } = object;
    const standard = standardFinalizersOf(rules);
    if (check === 'changes')
      return validateObjectMetaUpdate(metadata, old.metadata, metadataPath, { standardFinalizers: standard });
    const validateName = (name: string, isPrefix: boolean) => rules.validateName(name, isPrefix, object);
    const shape = { isNamespaced, validateName, standardFinalizers: standard };
    return validateObjectMeta(metadata, shape, metadataPath);
  });
  if (way === '' && errors.length === 0) {
    rules.prepareLast?.(object, old);
    errors.push(...(rules.validateLast?.(object, old, context) ?? []));
  }
  return { object, errors: errors.map(String) };
}

/** Puts back what a write may not change: the status, or with `isStatus` all else. */
function keepOtherFields(object: ApiObject, old: ApiObject, isStatus: boolean, hasStatus: boolean): void {
  // Fields beside the metadata are the kind's own.
  const [from, to] = [old as unknown as Fields, object as unknown as Fields];
  const own = Object.keys({ ...from, ...to }).filter((name) => !common.has(name));
  const kept = isStatus ? own.filter((name) => name !== 'status') : hasStatus ? ['status'] : [];
  for (const name of kept) {
    if (name in from) to[name] = copyOf(from[name]);
    else delete to[name];
  }
}

const common: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'metadata']);

/** An object of the storage version as the version of `like` shows it. */
export function served(object: ApiObject, like: Body): Fields {
  const { key, type } = kindOf(like);
  const shown = conversions.get(key)?.fromStorage(copyOf(object)) ?? copyOf(object);
  return type.canonicalize({ ...shown, apiVersion: like.apiVersion, kind: like.kind });
}
