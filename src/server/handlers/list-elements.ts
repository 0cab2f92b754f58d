import { tableRow } from '../../apis/tables/index.ts';
import { listEnd } from '../../machinery/codec/index.ts';
import type { ListForm } from './list-forms.ts';
import type { ListSource } from './list-source.ts';
import { metadataParts, type RowOptions, readRowSource, rowParts } from './row-parts.ts';
import { inOrder, mapSlices, slicesOf } from './slices-of.ts';
import { parseIncludeObject } from './table.ts';
import { cachedBytes } from './write-object.ts';

/** JSON of the elements in slices, in parts: one list of buffers for each element. */
export function elementsOf(source: ListSource, { slices }: ListForm): Iterable<readonly Buffer[][]> {
  const { as } = source.representation;
  if (as === 'Table') return rowElements(source);
  if (as !== undefined) return metadataElements(source);
  return mapSlices(slices, (element) => [Buffer.from(JSON.stringify(element))]);
}

function metadataElements({ endpoint, result, representation }: ListSource): Iterable<readonly Buffer[][]> {
  const apiVersion = `${endpoint.context.metaGroup}/${representation.asVersion}`;
  return slicesOf(result.objects, (object) =>
    metadataParts(cachedBytes(endpoint.served, object), apiVersion),
  );
}

function rowElements({
  exchange,
  endpoint,
  result,
  representation,
}: ListSource): Iterable<readonly Buffer[][]> {
  const { printer, served, context } = endpoint;
  const { compare } = printer;
  const nowMs = context.nowMs();
  const includeObject = parseIncludeObject(exchange.query.get('includeObject'));
  const { metaGroup } = context;
  const { asVersion: version } = representation;
  const options: RowOptions = {
    includeObject,
    metaApiVersion: `${metaGroup}/${version}`,
    rowOf: (object) => tableRow(object, { printer, nowMs, metaGroup, version, includeObject }),
  };
  // Tables of some kinds are sorted by what their objects say.
  const sources = slicesOf(result.objects, (object) => readRowSource(cachedBytes(served, object)));
  const sorted = inOrder(sources, compare && ((a, b) => compare(a.object, b.object)));
  return mapSlices(sorted, (source) => rowParts(source, options));
}

/** JSON around elements, which come in slices. */
export function* jsonPieces(
  shell: ListForm['shell'],
  slices: Iterable<readonly (readonly Buffer[])[]>,
): Generator<Buffer> {
  yield Buffer.from(JSON.stringify(shell).slice(0, -']}'.length));
  let isFirst = true;
  for (const slice of slices) {
    const parts: Buffer[] = [];
    for (const element of slice) {
      if (!isFirst) parts.push(separator);
      isFirst = false;
      parts.push(...element);
    }
    yield Buffer.concat(parts);
  }
  yield listEnd;
}

const separator = Buffer.from(',');
