import type { ApiAnswer, ApiClient, JsonObject } from './api-client.ts';

/** Media types of patches. */
export const patchTypes = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Applies a configuration (an object, or YAML as text) under a manager's name; further options come as a query. */
export function applyAs(
  client: ApiClient,
  manager: string,
  path: string,
  body: unknown,
  options: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  const query = new URLSearchParams({ fieldManager: manager, ...options });
  return client.send('PATCH', `${path}?${query}`, { body, contentType: patchTypes.apply });
}

/**
 * The record of an object as `manager operation version: fields`, by operation and manager.
 * Its own order has the time between them, which no test can know: two writes may see a second begin.
 */
export function ownersOf({ metadata }: JsonObject): string[] {
  const entries = [...((metadata.managedFields ?? []) as JsonObject[])];
  const keyOf = ({ operation, manager, apiVersion }: JsonObject): string =>
    `${operation} ${manager} ${apiVersion}`;
  entries.sort((a, b) => Buffer.compare(Buffer.from(keyOf(a)), Buffer.from(keyOf(b))));
  return entries.map(
    ({ manager, operation, apiVersion, fieldsV1 }) =>
      `${manager} ${operation} ${apiVersion}: ${leavesOf(fieldsV1).join(' ')}`,
  );
}

/** Paths that end in a set of fields, without the marks: `data.k`, `spec.containers[{"name":"c"}].image`. */
function leavesOf(fields: JsonObject, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([element, below]) => {
    const path = element === '.' ? `${prefix}.` : prefix + formatElement(element, prefix === '');
    return Object.keys(below).length === 0 ? [path] : leavesOf(below, path);
  });
}

const formatElement = (element: string, isFirst: boolean): string =>
  element.startsWith('f:') ? `${isFirst ? '' : '.'}${element.slice(2)}` : `[${element.slice(2)}]`;
