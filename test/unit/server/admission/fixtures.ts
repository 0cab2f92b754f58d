import type { Dialect } from '../../../../src/machinery/dialect.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import type { AdmissionAttributes } from '../../../../src/registry/index.ts';
import {
  type AdmissionOptions,
  type AdmissionReader,
  createAdmissionChain,
} from '../../../../src/server/admission/index.ts';

/** Objects by `group/resource`. */
export type Objects = Readonly<Record<string, readonly object[]>>;

/** A reader over fixed objects. */
export function readerOf(objects: Objects): AdmissionReader {
  const all = <T extends ApiObject>(group: string, resource: string) =>
    (objects[`${group}/${resource}`] ?? []) as T[];
  const get: AdmissionReader['get'] = <T extends ApiObject>(
    group: string,
    resource: string,
    namespace: string,
    name: string,
  ) =>
    all<T>(group, resource).find(
      ({ metadata }) => metadata.name === name && (metadata.namespace ?? '') === namespace,
    );
  return {
    get,
    namespace: (name) => get('', 'namespaces', '', name) as never,
    currentNamespace: async (name) => get('', 'namespaces', '', name) as never,
    current: async (...key) => get(...key),
    list: <T extends ApiObject>(group: string, resource: string, namespace?: string) =>
      all<T>(group, resource).filter(({ metadata }) => !namespace || metadata.namespace === namespace),
  };
}

/** One write; a creation of a pod named `p` in `default` unless told otherwise. */
export function write(
  parts: Partial<AdmissionAttributes> & { readonly resourceName?: string },
): AdmissionAttributes {
  const [resource = 'pods', group = ''] = (parts.resourceName ?? 'pods').split(/\.(.*)/);
  const object = parts.object ?? parts.oldObject;
  return {
    operation: 'CREATE',
    requestName: object?.metadata.name ?? '',
    resource: { group, resource },
    subresource: '',
    kind: { group, version: 'v1', kind: object?.kind ?? '' },
    namespace: object?.metadata.namespace ?? '',
    name: object?.metadata.name ?? '',
    object: undefined,
    oldObject: undefined,
    isDryRun: false,
    user: { name: 'u', uid: '', groups: [], extra: {} },
    ...parts,
  };
}

export function pod(spec: object = {}, metadata: object = { name: 'p', namespace: 'default' }): ApiObject {
  const containers = [{ name: 'c', image: 'i', resources: {} }];
  return { kind: 'Pod', apiVersion: 'v1', metadata, spec: { containers, ...spec }, status: {} } as ApiObject;
}

export const specOf = (object: ApiObject): Record<string, unknown> =>
  (object as unknown as { spec: Record<string, unknown> }).spec;

export interface RunOptions {
  readonly plugins: readonly string[];
  readonly objects?: Objects;
  readonly options?: AdmissionOptions;
  readonly dialect?: Dialect;
  readonly gates?: ReadonlySet<string>;
}

export const chainOf = (setup: RunOptions) =>
  createAdmissionChain({
    plugins: setup.plugins,
    dialect: setup.dialect ?? orchDialect,
    read: readerOf(setup.objects ?? {}),
    options: setup.options ?? {},
    gates: setup.gates ?? new Set(['NonPreemptingPriority', 'PodOverhead']),
  });

/** Runs both phases of a chain; the refusal's status when a plugin refuses. */
export async function run(attributes: AdmissionAttributes, setup: RunOptions) {
  const chain = chainOf(setup);
  try {
    await chain.admit(attributes);
    await chain.validate(attributes);
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
  return undefined;
}
