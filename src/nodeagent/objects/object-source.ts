import { type RestClient, resourcePath } from '../../client/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';

/** Which objects, all of them of version `v1`. */
export type ObjectResource =
  | 'configmaps'
  | 'endpoints'
  | 'secrets'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'runtimeclasses'
  | 'volumeattachments';

/** Objects of one resource by namespace and name, each followed as long as somebody retains it. */
export interface ObjectSource<T extends ApiObject> {
  /** One more user of the object. */
  retain(namespace: string, name: string): void;
  /** One user less. */
  release(namespace: string, name: string): void;
  /** Undefined when there is none. @throws StatusError or TransportError */
  get(namespace: string, name: string): Promise<T | undefined>;
}

/** The kind of object that is read; an abort of `signal` rejects reads that are under way. */
export interface ReadObjectOptions {
  readonly client: RestClient;
  /** Default: the core group. */
  readonly group?: string;
  readonly resource: ObjectResource;
  readonly signal: AbortSignal;
}

/** Milliseconds that an answer may take: pods wait for it, and ask again. */
const timeoutMs = 10_000;

/** Asks for one object now; undefined when there is none. @throws StatusError or TransportError */
export async function readObject<T extends ApiObject>(
  { client, group = '', resource, signal }: ReadObjectOptions,
  namespace: string,
  name: string,
): Promise<T | undefined> {
  const path = resourcePath({ group, version: 'v1', resource, namespace, name });
  try {
    return await client.json<T>({ method: 'GET', path, signal, timeoutMs });
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}

/** A name for an object among those of its resource. */
export const objectKey = (namespace: string, name: string): string => `${namespace}/${name}`;
