import type { JsonObject } from './api-client.ts';

/** Path of a namespace's resources in the core group. */
export const inNamespace = (namespace: string, resource: string): string =>
  `/api/v1/namespaces/${namespace}/${resource}`;

/** A small config map. */
export function configMap(
  name: string,
  data: Record<string, string> = {},
  metadata: JsonObject = {},
): JsonObject {
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, ...metadata }, data };
}

/** A pod with one container and nothing that is not needed. */
export function pod(name: string, metadata: JsonObject = {}): JsonObject {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'main', image: 'example/image:1' }] },
  };
}

/** A service that forwards one port. */
export function service(name: string, spec: JsonObject = {}): JsonObject {
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name },
    spec: { ports: [{ port: 80 }], ...spec },
  };
}

/** A deployment of one pod. */
export function deployment(name: string, spec: JsonObject = {}): JsonObject {
  const labels = { app: name };
  return {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example/image:1' }] } },
      ...spec,
    },
  };
}
