import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { AdmissionAttributes } from '../../registry/index.ts';

/** What is written, and what was there before. */
interface ObjectsOfWrite<T extends ApiObject> {
  readonly object: T | undefined;
  readonly oldObject: T | undefined;
}

/** The objects of a write as `T`, which the resource or the subresource holds and nothing else. */
export function objectsOf<T extends ApiObject>(attributes: AdmissionAttributes): ObjectsOfWrite<T> {
  return attributes as ObjectsOfWrite<T>; // what the promise above says
}

/** The group that the request names: of a resource that several have, it need not be the one that stores it. */
export const requestedGroup = ({
  forms,
  resource,
}: Pick<AdmissionAttributes, 'forms' | 'resource'>): string => forms?.requested.group ?? resource.group;

/** The new pod when the write is to a pod itself, not to a subresource; else undefined. */
export function podOf(attributes: AdmissionAttributes): Pod | undefined {
  const { resource, subresource } = attributes;
  if (resource.resource !== 'pods' || resource.group !== '' || subresource !== '') return undefined;
  // Pods are stored in one version only, so the object of this resource is one.
  return objectsOf<Pod>(attributes).object;
}

/** All containers of a pod in release 1.20's order: init containers, containers, ephemeral containers. */
export function* containersOf({
  spec,
}: Pod): Generator<Pick<Container, 'imagePullPolicy' | 'securityContext'>> {
  yield* spec.initContainers ?? [];
  yield* spec.containers ?? [];
  yield* spec.ephemeralContainers ?? [];
}
