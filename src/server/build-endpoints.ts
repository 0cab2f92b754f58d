import type { ResourceTable } from '../apis/resources/index.ts';
import type { TablePrinter } from '../apis/tables/index.ts';
import type { GroupResource, GroupVersionKind } from '../machinery/schema/index.ts';
import type { SelectableFields } from '../machinery/selectors/index.ts';
import type { Stores } from '../registry/index.ts';
import type { Endpoint, HandlerContext } from './handlers/endpoint.ts';

/** What endpoints are made of: a store, columns and selectable fields for each resource of the table. */
export interface EndpointSources {
  readonly table: ResourceTable;
  readonly stores: Stores;
  readonly context: HandlerContext;
  printerOf(resource: GroupResource): TablePrinter;
  fieldsOf(kind: GroupVersionKind): SelectableFields;
}

/** An endpoint for each served resource, by `group/version/resource`. */
export function buildEndpoints(sources: EndpointSources): ReadonlyMap<string, Endpoint> {
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
  return endpoints;
}
