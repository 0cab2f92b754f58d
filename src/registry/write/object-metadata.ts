import {
  nameIsPathSegment,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../apis/validation/index.ts';
import { badRequest, type FieldError, fieldPath, invalid } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
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
  delete metadata.resourceVersion;
  delete metadata.selfLink;
  delete metadata.clusterName;
  if (store.rules.hasGeneration === true) metadata.generation = 1;
  // Other kinds keep what the client says.
  else if (!metadata.generation) delete metadata.generation;
  if (metadata.generateName && !metadata.name) {
    metadata.name =
      metadata.generateName.slice(0, maxGeneratedBaseLength) + store.environment.newNameSuffix();
  }
}

/** Carries over from the stored object what an update can never change. */
export function keepServerMetadata(object: ApiObject, old: ApiObject): void {
  const { metadata } = object;
  metadata.generation = old.metadata.generation;
  if (!metadata.uid) metadata.uid = old.metadata.uid;
  metadata.creationTimestamp = old.metadata.creationTimestamp;
  if (old.metadata.deletionTimestamp) metadata.deletionTimestamp = old.metadata.deletionTimestamp;
  if (metadata.deletionGracePeriodSeconds === undefined) {
    metadata.deletionGracePeriodSeconds = old.metadata.deletionGracePeriodSeconds;
  }
  delete metadata.selfLink;
  delete metadata.clusterName;
}

/** Finalizers that need no domain; undefined where any will do. */
const standardFinalizersOf = ({ rules, environment }: ResourceStore): ReadonlySet<string> | undefined =>
  rules.allowsAnyFinalizer === true ? undefined : environment.standardFinalizers;

/** Field errors of a new object's metadata. */
export function newMetadataErrors(store: ResourceStore, object: ApiObject): FieldError[] {
  const { isNamespaced, rules } = store;
  return validateObjectMeta(
    object.metadata,
    {
      isNamespaced,
      validateName: (name, isPrefix) => rules.validateName(name, isPrefix),
      standardFinalizers: standardFinalizersOf(store),
    },
    metadataPath,
  );
}

/**
 * Field errors of an updated object's metadata. Release 1.20 checks the changes once for every kind and once
 * more with the kind's own rules, so clients see each of these causes twice.
 */
export function changedMetadataErrors(store: ResourceStore, object: ApiObject, old: ApiObject): FieldError[] {
  const shape = validateObjectMeta(
    object.metadata,
    {
      isNamespaced: store.isNamespaced,
      validateName: nameIsPathSegment,
      standardFinalizers: standardFinalizersOf(store),
    },
    metadataPath,
  );
  const changes = validateObjectMetaUpdate(object.metadata, old.metadata, metadataPath, {
    standardFinalizers: standardFinalizersOf(store),
  });
  return changes.length === 0 ? shape : [...shape, ...changes, ...changes];
}

/** @throws StatusError 422 when there are field errors. */
export function throwIfInvalid(store: ResourceStore, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const { group, kind } = store.storageKind;
  throw invalid({ group: store.rules.messageGroup ?? group, kind }, object.metadata.name ?? '', errors);
}
