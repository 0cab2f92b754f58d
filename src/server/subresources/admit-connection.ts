import { type CompiledType, formatGroupVersion } from '../../machinery/schema/index.ts';
import { canonicalOf } from '../../registry/index.ts';
import { admitValue } from '../handlers/admit-value.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { writeOptions } from '../handlers/write-options.ts';
import type { Exchange } from '../request/exchange.ts';
import { isTrue } from '../request/request-info.ts';
import { portsOf } from './connection-options.ts';

/** A handler of connections that asks admission first, which is told the options of the query as an object. */
export function admitted(connect: SubresourceHandler): SubresourceHandler {
  return async (exchange, endpoint, subresource) => {
    const { context } = endpoint;
    const type = context.catalog.kind(subresource);
    if (type === undefined) throw new RangeError(`no type for the served kind ${subresource.kind}`);
    const { group, version, kind } = subresource;
    const given = { kind, apiVersion: formatGroupVersion(group, version), ...optionsOf(exchange, type) };
    const object = canonicalOf({ type }, given);
    const options = writeOptions(exchange, context, { isDryRun: false });
    await admitValue(exchange, endpoint, { operation: 'CONNECT', kind: subresource, object, options });
    return connect(exchange, endpoint, subresource);
  };
}

/** The fields of an options kind from the query; the path of a proxied request is its own. */
function optionsOf(exchange: Exchange, { fields }: CompiledType): Record<string, unknown> {
  const { query } = exchange;
  const options: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const texts = query.getAll(name);
    if (name === 'path') options[name] = pathOf(exchange);
    else if (texts.length === 0) continue;
    else if (type === 'bool') options[name] = isTrue(texts[0] ?? '');
    else if (type === 'list<string>') options[name] = texts;
    else if (name === 'ports') options[name] = portsOf(query);
    else if (type === 'string') options[name] = texts[0];
  }
  return options;
}

function pathOf({ path, info: { rest } }: Exchange): string {
  const end = path.endsWith('/') ? '/' : '';
  return rest.length === 0 ? end : `/${rest.join('/')}${end}`;
}
