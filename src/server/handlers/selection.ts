import { badRequest } from '../../machinery/errors/index.ts';
import {
  createFieldSelector,
  type FieldSelector,
  parseFieldSelector,
  parseLabelSelector,
  resolveFieldSelector,
  SelectorError,
} from '../../machinery/selectors/index.ts';
import type { Selection } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Endpoint } from './endpoint.ts';

/** Selectors of a request. @throws StatusError 400 when one does not parse or names an unknown field. */
export function parseSelection(exchange: Exchange, endpoint: Endpoint): Selection {
  const { query, info } = exchange;
  try {
    const labels = parseLabelSelector(query.get('labelSelector') ?? '');
    const fields = resolveFieldSelector(
      parseFieldSelector(query.get('fieldSelector') ?? ''),
      endpoint.selectableFields,
    );
    return { namespace: info.namespace, labels, fields: withName(fields, info.name) };
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
