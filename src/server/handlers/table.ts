import { type IncludeObject, toTable } from '../../apis/tables/index.ts';
import type { Table } from '../../apis/types/meta-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import type { ApiObject, ListMeta } from '../../machinery/meta/index.ts';
import type { StoredEndpoint } from './endpoint.ts';

/** Objects to show as a Table, in the version and with the parts that the client asked for. */
export interface TableRequest {
  /** In the served version. */
  readonly objects: readonly ApiObject[];
  readonly listMeta: ListMeta;
  /** Version of the meta group. */
  readonly version: string;
  /** As the client gave it; null means the default, `Metadata`. */
  readonly includeObject: string | null;
}

/** What rows include. @throws StatusError 400 for an unknown `includeObject`. */
export function parseIncludeObject(text: string | null): IncludeObject {
  const includeObject = text || 'Metadata';
  if (includeObject !== 'None' && includeObject !== 'Metadata' && includeObject !== 'Object') {
    throw badRequest(`unrecognized includeObject value: "${includeObject}"`);
  }
  return includeObject;
}

/** Objects as a Table of the endpoint's columns. @throws StatusError 400 for an unknown `includeObject`. */
export function tableOf(endpoint: StoredEndpoint, request: TableRequest): Table {
  const includeObject = parseIncludeObject(request.includeObject);
  const { printer, context } = endpoint;
  const { metaGroup } = context;
  return toTable({ ...request, printer, metaGroup, includeObject, nowMs: context.nowMs() });
}
