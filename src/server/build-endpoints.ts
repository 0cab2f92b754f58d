import type { ResourceTable } from '../apis/resources/index.ts';
import type { TablePrinter } from '../apis/tables/index.ts';
import type { GroupResource, GroupVersionKind } from '../machinery/schema/index.ts';
import type { SelectableFields } from '../machinery/selectors/index.ts';
import type { CustomResource, Stores } from '../registry/index.ts';
import { type Endpoint, type HandlerContext, servedKindOf } from './handlers/endpoint.ts';
import type { RequestInfo } from './request/request-info.ts';

/** What endpoints are made of: a store, columns and selectable fields for each resource of the table. */
export interface EndpointSources {
  readonly table: ResourceTable;
  readonly stores: Stores;
  readonly context: HandlerContext;
  printerOf(resource: GroupResource): TablePrinter;
  fieldsOf(kind: GroupVersionKind): SelectableFields;
}

/** The endpoints of a server. Those of built-in resources are there from the start, others come and go. */
export interface Endpoints {
  /** The endpoint of the resource that a request names. */
  find(info: RequestInfo): Endpoint | undefined;
  /** The kind of a request's resource; undefined unless that is served, and its subresource if it names one. */
  kindOf(info: RequestInfo): string | undefined;
}

/** Makes an endpoint for each served resource of the table, and finds or makes those of resources that came later. */
export function buildEndpoints(sources: EndpointSources): Endpoints {
  const endpoints = new Map<string, Endpoint>();
  for (const info of sources.table.resources) {
    const key = `${info.group}/${info.version}/${info.resource}`;
    endpoints.set(key, {
      info,
      served: sources.stores.served.get(key),
      printer: sources.printerOf(info),
      hasProtobuf: sources.context.protobuf.hasKind(info),
      context: sources.context,
      selectableFields: sources.fieldsOf(info),
    });
  }
  const custom = new WeakMap<CustomResource, Endpoint>();
  const findCustom = (info: RequestInfo): Endpoint | undefined => {
    const resource = sources.stores.customs.find(info);
    if (resource === undefined || !fitsScope(resource, info)) return undefined;
    let endpoint = custom.get(resource);
    if (endpoint === undefined) {
      endpoint = customEndpoint(resource, sources.context);
      custom.set(resource, endpoint);
    }
    return endpoint;
  };
  const find: Endpoints['find'] = (info) =>
    endpoints.get(`${info.group}/${info.version}/${info.resource}`) ?? findCustom(info);
  return {
    find,
    kindOf: (info) => servedKindOf(find(info), info),
  };
}

/** Custom resources are nowhere but in their scope; those in namespaces can be listed and watched everywhere. */
function fitsScope({ info: { namespaced } }: CustomResource, { namespace, verb }: RequestInfo): boolean {
  if (namespace !== '') return namespaced;
  return !namespaced || verb === 'list' || verb === 'watch';
}

function customEndpoint(resource: CustomResource, context: HandlerContext): Endpoint {
  const { info, served, selectableFields } = resource;
  return {
    info,
    served,
    hasProtobuf: false,
    context,
    selectableFields,
    printer: resource.printer,
  };
}
