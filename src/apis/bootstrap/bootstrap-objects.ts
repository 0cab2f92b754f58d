import { ownData } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import { localApiServices, type ResourceTable } from '../resources/index.ts';
import type { PolicyRule } from '../types/rbac-authorization-v1.ts';
import data from './bootstrap.json' with { type: 'json' };
import type { BootstrapObject, BootstrapPolicy } from './bootstrap-object.ts';

/** How proxies in front of the server name their users; published for aggregated servers. */
export interface RequestHeaderSettings {
  /** PEM text. */
  readonly clientCa: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** What the objects say about their server. */
export interface BootstrapOptions {
  /** Only objects of served versions are made. */
  readonly table: ResourceTable;
  readonly securePort: number;
  /** Addresses of all servers of the store, this one's included. */
  readonly advertiseAddresses: readonly string[];
  /** First address of the service range. */
  readonly firstServiceIp: string;
  /** PEM text of the authority of client certificates; empty without one. */
  readonly clientCa: string;
  readonly requestHeader?: RequestHeaderSettings | undefined;
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

interface BootstrapData {
  readonly resource: string;
  readonly apiVersion: string;
  readonly policy: BootstrapPolicy;
  /** The part of the server that owns the objects' fields; the server as a whole when left out. */
  readonly manager?: string | undefined;
  /** Names that are always put back, whatever the policy of the others. */
  readonly mandatory?: readonly string[] | undefined;
  /** Names of bindings that were part of others before, with the names of those. */
  readonly splitFrom?: Readonly<Record<string, string>> | undefined;
  readonly items: ReadonlyArray<
    Omit<ApiObject, 'kind' | 'apiVersion'> & { readonly rules?: readonly PolicyRule[] | undefined }
  >;
}

/** Resources of which a server makes objects for itself, in the order in which they must be created. */
export const bootstrapResources: readonly string[] = [...data.map(({ resource }) => resource), 'apiservices'];

/** What every agent may do: the rules of the role `system:node`, which nobody has by a binding. */
export function nodeRules(dialect: Dialect): readonly PolicyRule[] {
  const roles = ownData<readonly BootstrapData[]>(data).find(({ resource }) => resource === 'clusterroles');
  const role = roles?.items.find(({ metadata }) => metadata.name === 'system:node');
  return translateData(dialect, role?.rules ?? []);
}

/** Objects of a fresh server, in the order in which they must be created. */
export function bootstrapObjects(options: BootstrapOptions): BootstrapObject[] {
  const { table } = options;
  const fill = makeFiller(options);
  // The file's inferred type has one shape per entry; all of them fit the interface.
  const groups = translateData(table.dialect, ownData<readonly BootstrapData[]>(data));
  const objects = groups.flatMap(
    ({ resource, apiVersion, policy, manager, mandatory = [], splitFrom = {}, items }) => {
      const served = table.find(...splitVersion(apiVersion), resource);
      if (served === undefined) return [];
      return items.map((item): BootstrapObject => {
        const isMandatory = mandatory.includes(item.metadata.name ?? '');
        // Filling keeps the shape of an object.
        const object = { kind: served.kind, apiVersion, ...(fill(item) as typeof item) };
        return {
          resource: { group: served.group, version: served.version, resource },
          object: policy === 'trust' ? withTrust(object, options) : object,
          policy: isMandatory ? 'spec' : policy,
          manager,
          splitFrom: splitFrom[item.metadata.name ?? ''],
        };
      });
    },
  );
  return [...objects, ...registrations(options)];
}

function splitVersion(apiVersion: string): [group: string, version: string] {
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  return [group, version];
}

/** Replaces a text that is a placeholder by its value; lists of addresses grow by one item per address. */
function makeFiller(options: BootstrapOptions): (value: unknown) => unknown {
  const values: Readonly<Record<string, unknown>> = {
    '{securePort}': options.securePort,
    '{firstServiceIP}': options.firstServiceIp,
    '{clientCA}': options.clientCa,
    '{addressType}': options.advertiseAddresses[0]?.includes(':') === true ? 'IPv6' : 'IPv4',
  };
  const fill = (value: unknown, address: string): unknown => {
    if (typeof value === 'string') return value === '{advertiseAddress}' ? address : (values[value] ?? value);
    if (Array.isArray(value)) {
      return value.flatMap((item: unknown) =>
        hasAddress(item) ? options.advertiseAddresses.map((each) => fill(item, each)) : [fill(item, address)],
      );
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, address)]));
  };
  return (value) => fill(value, '');
}

/** True for the item of a list that stands for one server: it holds the address itself, not deeper. */
function hasAddress(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  return Object.values(item).some(
    (value: unknown) =>
      value === '{advertiseAddress}' || (Array.isArray(value) && value.includes('{advertiseAddress}')),
  );
}

/** Publishes what aggregated servers trust; entries without a value are left out. */
function withTrust(object: ApiObject, { clientCa, requestHeader }: BootstrapOptions): ApiObject {
  const entries: Record<string, string> = clientCa === '' ? {} : { 'client-ca-file': clientCa };
  if (requestHeader !== undefined) {
    entries['requestheader-allowed-names'] = JSON.stringify(requestHeader.allowedNames);
    entries['requestheader-client-ca-file'] = requestHeader.clientCa;
    entries['requestheader-extra-headers-prefix'] = JSON.stringify(requestHeader.extraHeaderPrefixes);
    entries['requestheader-group-headers'] = JSON.stringify(requestHeader.groupHeaders);
    entries['requestheader-username-headers'] = JSON.stringify(requestHeader.usernameHeaders);
  }
  const withData: ApiObject & { data: Record<string, string> } = { ...object, data: entries };
  return withData;
}

function registrations({ table, now }: BootstrapOptions): BootstrapObject[] {
  const group = table.dialect.group('apiregistration');
  if (table.find(group, 'v1', 'apiservices') === undefined) return [];
  const label = table.dialect.spell('orch-aggregator.orch.io/automanaged');
  return localApiServices(table).map(({ name, spec }) => {
    const object: ApiObject & { spec: object; status: object } = {
      kind: 'APIService',
      apiVersion: `${group}/v1`,
      metadata: { name, labels: { [label]: 'onstart' } },
      spec,
      status: { conditions: [localCondition(now)] },
    };
    return { resource: { group, version: 'v1', resource: 'apiservices' }, object, policy: 'spec' };
  });
}

function localCondition(now: string): object {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: now,
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}
