import type { Ctl } from '../ctl.ts';
import { isWireObject, listItems, type WireObject } from './api-object.ts';
import { readDocuments } from './read-collection.ts';

/** What part of a collection is read. */
export interface ObjectQuery {
  /** Empty: of all namespaces, or of none. */
  readonly namespace: string;
  readonly fieldSelector?: string | undefined;
}

/** All objects of a type, which is written as users do. @throws UnknownNameError when it is not served, StatusError */
export async function readObjects(
  ctl: Ctl,
  type: string,
  query: ObjectQuery,
): Promise<readonly WireObject[]> {
  const [client, resource] = await Promise.all([ctl.client(), ctl.findResource(type)]);
  const objects: WireObject[] = [];
  const options = { chunkSize: 500, signal: ctl.io.signal };
  for await (const document of readDocuments(client, { resource, ...query }, options)) {
    objects.push(...listItems(document, resource).filter(isWireObject));
  }
  return objects;
}
