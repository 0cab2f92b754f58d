import { badRequest } from '../../machinery/errors/index.ts';
import {
  createFieldSelector,
  type FieldSelector,
  parseFieldSelector,
  parseLabelSelector,
  resolveFieldSelector,
  type SelectableFields,
  SelectorError,
} from '../../machinery/selectors/index.ts';
import type { Selection } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Endpoint } from './endpoint.ts';

/** Selectors of a request. @throws StatusError 400 when one does not parse or names an unknown field. */
export function parseSelection(exchange: Exchange, endpoint: Endpoint): Selection {
  const { query, info } = exchange;
  const labelSelector = query.get('labelSelector') ?? '';
  const fieldSelector = query.get('fieldSelector') ?? '';
  const { namespace, name } = info;
  const selection = readSelection({ namespace, labelSelector, fieldSelector }, endpoint.selectableFields);
  return { ...selection, fields: withName(selection.fields, name) };
}

/** What a selection says, as texts; empty ones select everything. */
export interface SelectionTexts {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** A selection among objects that have these fields. @throws StatusError 400 as `parseSelection`. */
export function readSelection(
  { namespace = '', labelSelector = '', fieldSelector = '' }: SelectionTexts,
  selectable: SelectableFields,
): Selection {
  try {
    const labels = parseLabelSelector(labelSelector);
    return { namespace, labels, fields: resolveFieldSelector(parseFieldSelector(fieldSelector), selectable) };
  } catch (error) {
    throw error instanceof SelectorError ? badRequest(error.message) : error;
  }
}

/** Watches of the older path name their object there; it is a selection like another. @throws StatusError 400. */
function withName(fields: FieldSelector, name: string): FieldSelector {
  if (name === '') return fields;
  if (fields.isEmpty) return createFieldSelector([{ field: 'metadata.name', isNegated: false, value: name }]);
  if (fields.requiredValue('metadata.name') === name) return fields;
  throw badRequest("fieldSelector metadata.name doesn't match requested name");
}
