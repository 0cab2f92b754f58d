import { type IncludeObject, toTable } from '../../apis/tables/index.ts';
import type { Table } from '../../apis/types/meta-v1.ts';
import { badRequest, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { ApiObject, ListMeta } from '../../machinery/meta/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { StoredEndpoint } from './endpoint.ts';

/** Objects to show as a Table, in the version and with the parts that the client asked for. */
export interface TableRequest {
  /** In the served version. */
  readonly objects: readonly ApiObject[];
  readonly listMeta: ListMeta;
  /** Version of the meta group. */
  readonly version: string;
  /** What rows include. */
  readonly includeObject: IncludeObject;
}

/** What rows include; `Metadata` by default. @throws StatusError 400 for an unknown `includeObject`. */
export function readIncludeObject({ query }: Pick<Exchange, 'query'>): IncludeObject {
  const given = query.get('includeObject') || 'Metadata';
  if (given === 'None' || given === 'Metadata' || given === 'Object') return given;
  const detail = "must be 'Metadata', 'Object', 'None', or empty";
  const error = invalidValue(fieldPath('includeObject'), given, detail);
  throw badRequest(`Unable to convert to Table as requested: ${error}`);
}

/** Objects as a Table of the endpoint's columns. */
export function tableOf(endpoint: StoredEndpoint, request: TableRequest): Table {
  const { printer, context } = endpoint;
  const { metaGroup } = context;
  return toTable({ ...request, printer, metaGroup, nowMs: context.nowMs() });
}
