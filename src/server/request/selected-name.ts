import { isPathSegmentName } from '../../machinery/formats/index.ts';
import { parseFieldSelector, SelectorError } from '../../machinery/selectors/index.ts';
import type { Exchange } from './exchange.ts';
import type { RequestInfo } from './request-info.ts';

/**
 * What a request is about, for those who look at it before it is served: a list or a watch of one object, by its name in
 * the field selector, is authorized and recorded under that name. Source: release 1.20, `pkg/endpoints/request`.
 */
export function withSelectedName({ info, query }: Pick<Exchange, 'info' | 'query'>): RequestInfo {
  if (info.name !== '' || (info.verb !== 'list' && info.verb !== 'watch')) return info;
  const selector = query.get('fieldSelector');
  if (selector?.includes('metadata.name') !== true) return info;
  const name = selectedName(selector);
  return isPathSegmentName(name).length === 0 ? { ...info, name } : info;
}

function selectedName(selector: string): string {
  try {
    return parseFieldSelector(selector).requiredValue('metadata.name') ?? '';
  } catch (error) {
    // Whoever is allowed to ask is told what is wrong with it.
    if (error instanceof SelectorError) return '';
    throw error;
  }
}
