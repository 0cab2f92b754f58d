import {
  type ContentErrors,
  contentErrors,
  nameIsPathSegment,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../apis/validation/index.ts';
import { badRequest, type FieldError, fieldPath, invalid } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import { formatNow, type ResourceStore } from '../resource-store.ts';

const metadataPath = fieldPath('metadata');
/** Longest base of a generated name, so that base and suffix stay within 63 characters. */
const maxGeneratedBaseLength = 58;

/** Makes an object's namespace agree with the request's. @throws StatusError 400 when the two differ. */
export function settleNamespace(store: ResourceStore, object: ApiObject, requestNamespace: string): void {
  const { metadata } = object;
  if (!store.isNamespaced) {
    delete metadata.namespace;
    return;
  }
  const given = metadata.namespace ?? '';
  if (given === '') metadata.namespace = requestNamespace;
  else if (given !== requestNamespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Sets what only the server sets on a new object: uid, creation time, generated name, first generation. */
export function fillNewMetadata(store: ResourceStore, object: ApiObject): void {
  const { metadata } = object;
  metadata.uid = store.environment.newUid();
  metadata.creationTimestamp = formatNow(store.environment.nowMs());
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  delete metadata.clusterName;
  if (store.rules.hasGeneration === true) metadata.generation = 1;
  // Other kinds keep what the client says.
  else if (!metadata.generation) delete metadata.generation;
  if (metadata.generateName && !metadata.name) {
    metadata.name =
      metadata.generateName.slice(0, maxGeneratedBaseLength) + store.environment.newNameSuffix();
  }
  if (store.rules.namesItself === true) metadata.name ||= store.environment.newUid();
}

/**
 * Carries over from the stored object what an update can never change. The answer to a dry run shows a `selfLink` that
 * the client sent: release 1.20 drops it when it writes.
 */
export function keepServerMetadata(
  object: ApiObject,
  old: ApiObject,
  { isDryRun }: { readonly isDryRun: boolean },
): void {
  const { metadata } = object;
  metadata.generation = old.metadata.generation;
  if (!metadata.uid) metadata.uid = old.metadata.uid;
  metadata.creationTimestamp = old.metadata.creationTimestamp;
  if (old.metadata.deletionTimestamp) metadata.deletionTimestamp = old.metadata.deletionTimestamp;
  if (metadata.deletionGracePeriodSeconds === undefined) {
    metadata.deletionGracePeriodSeconds = old.metadata.deletionGracePeriodSeconds;
  }
  if (!isDryRun) delete metadata.selfLink;
  delete metadata.clusterName;
}

/** Finalizers that need no domain; undefined where any will do. */
const standardFinalizersOf = ({ rules, environment }: ResourceStore): ReadonlySet<string> | undefined =>
  rules.allowsAnyFinalizer === true ? undefined : environment.standardFinalizers;

/** Field errors of the parts of an object's metadata that stand by themselves, for the checks below to share. */
export const metadataContentErrors = (object: ApiObject): ContentErrors =>
  contentErrors(object.metadata, metadataPath);

/** Field errors of a new object's metadata, by the rules of its kind. */
export function ownMetadataErrors(
  store: ResourceStore,
  object: ApiObject,
  content?: ContentErrors,
): FieldError[] {
  const { isNamespaced, rules } = store;
  return validateObjectMeta(
    object.metadata,
    {
      isNamespaced,
      validateName: (name, isPrefix) => rules.validateName(name, isPrefix, object),
      standardFinalizers: standardFinalizersOf(store),
    },
    metadataPath,
    content,
  );
}

/** An update, and what was found already of the object's metadata. */
interface MetadataChange {
  readonly object: ApiObject;
  readonly old: ApiObject;
  readonly content: ContentErrors;
}

/** Field errors of an updated object's metadata that are looked for in every kind, before its own. */
export function commonMetadataErrors(
  { isNamespaced }: ResourceStore,
  { object, old, content }: MetadataChange,
): FieldError[] {
  const rules = { isNamespaced, validateName: nameIsPathSegment };
  return [
    ...validateObjectMeta(object.metadata, rules, metadataPath, content),
    ...validateObjectMetaUpdate(object.metadata, old.metadata, metadataPath, { content }),
  ];
}

/** Field errors of how an object's metadata changed, by the rules of its kind. */
export function metadataChangeErrors(
  store: ResourceStore,
  { object, old, content }: MetadataChange,
): FieldError[] {
  const standardFinalizers = standardFinalizersOf(store);
  return validateObjectMetaUpdate(object.metadata, old.metadata, metadataPath, {
    standardFinalizers,
    content,
  });
}

/** @throws StatusError 422 when there are field errors. */
export function throwIfInvalid(store: ResourceStore, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const { isUntyped, messageGroup } = store.rules;
  // What takes any members says itself what it is.
  const said = isUntyped === true ? parseGroupVersion(object.apiVersion)?.group : undefined;
  throw invalid(
    { group: said ?? messageGroup ?? store.storageKind.group, kind: object.kind },
    object.metadata.name ?? '',
    errors,
  );
}
