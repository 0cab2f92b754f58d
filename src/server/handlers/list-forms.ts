import { partialObjectMetadata } from '../../apis/tables/index.ts';
import { writeYaml } from '../../machinery/codec/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import { parseStored } from '../../registry/index.ts';
import { prettyJson } from '../request/pretty-json.ts';
import { itemReader, type ListSource, listMetaOf, partialListMetaOf } from './list-source.ts';
import { inOrder, slicesOf } from './slices-of.ts';
import { readIncludeObject, tableOf } from './table.ts';
import { cachedBytes } from './write-object.ts';

const open = Buffer.from('{');

/** A list whose objects must be parsed: what stands around its elements, and the elements in slices. */
export interface ListForm {
  /** The list without elements; its field is null where it is to be null in the end, and there are none. */
  readonly shell: Readonly<Record<string, unknown>>;
  /** Field of the elements, the last of the shell. */
  readonly field: 'items' | 'rows';
  /** Elements in order; an empty slice only gives other requests a turn. */
  readonly slices: Iterable<readonly unknown[]>;
}

/** The list in the form that the client asked for. @throws StatusError 400 for an unknown `includeObject` */
export function formOf(source: ListSource): ListForm {
  const { as } = source.representation;
  if (as === undefined) return objectForm(source);
  return as === 'Table' ? tableForm(source) : metadataForm(source);
}

function objectForm({ endpoint: { served }, result }: ListSource): ListForm {
  const apiVersion = formatGroupVersion(served.kind.group, served.kind.version);
  const itemOf = itemReader(served);
  const metadata = listMetaOf(result);
  return {
    shell: {
      kind: served.listKind,
      apiVersion,
      metadata: served.type.isUnstructured === true ? { continue: '', ...metadata } : metadata,
      items: [],
    },
    field: 'items',
    slices: slicesOf(result.objects, (object) => parseStored(Buffer.concat([open, itemOf(object)]))),
  };
}

function metadataForm({ endpoint, result, representation }: ListSource): ListForm {
  const { metaGroup } = endpoint.context;
  const { asVersion: version } = representation;
  return {
    shell: {
      kind: 'PartialObjectMetadataList',
      apiVersion: `${metaGroup}/${version}`,
      metadata: partialListMetaOf(result),
      // Release 1.20 makes the list when the first object comes.
      items: result.objects.length === 0 ? null : [],
    },
    field: 'items',
    slices: slicesOf(result.objects, (object) =>
      partialObjectMetadata(parseStored(cachedBytes(endpoint.served, object)), { metaGroup, version }),
    ),
  };
}

function tableForm(source: ListSource): ListForm {
  const { exchange, endpoint, result, representation } = source;
  const { asVersion: version } = representation;
  const includeObject = readIncludeObject(exchange);
  const listMeta = listMetaOf(result);
  const toTable = (objects: readonly ApiObject[]) =>
    tableOf(endpoint, { objects, listMeta, version, includeObject });
  return {
    shell: { ...toTable([]) },
    field: 'rows',
    slices: rowSlices(source, (slice) => toTable(slice).rows ?? []),
  };
}

function* rowSlices(
  { endpoint, result }: ListSource,
  rowsOf: (objects: readonly ApiObject[]) => readonly unknown[],
): Generator<readonly unknown[]> {
  const parsed = slicesOf(result.objects, (object) => parseStored(cachedBytes(endpoint.served, object)));
  for (const slice of inOrder(parsed, endpoint.printer.compare)) yield rowsOf(slice);
}

/** JSON in lines for people. */
export function* prettyPieces({ shell, field, slices }: ListForm): Generator<Buffer> {
  const whole = prettyJson(shell);
  if (shell[field] === null) {
    yield Buffer.from(whole);
    return;
  }
  const end = ']\n}';
  yield Buffer.from(whole.slice(0, -end.length));
  let isEmpty = true;
  for (const slice of slices) {
    let text = '';
    for (const element of slice) {
      text += `${isEmpty ? '' : ','}\n    ${prettyJson(element, 2)}`;
      isEmpty = false;
    }
    yield Buffer.from(text);
  }
  yield Buffer.from(isEmpty ? end : `\n  ${end}`);
}

/** In YAML the fields are sorted, so that something may follow the elements. */
export function* yamlPieces({ shell, field, slices }: ListForm): Generator<Buffer> {
  const whole = writeYaml(shell);
  if (shell[field] === null) {
    yield Buffer.from(whole);
    return;
  }
  const empty = `${field}: []\n`;
  // A line that begins in the first column is a field of the list; the first field may be none before it.
  const at = whole.startsWith(empty) ? 0 : whole.indexOf(`\n${empty}`) + 1;
  let isEmpty = true;
  for (const slice of slices) {
    const text = slice.length === 0 ? '' : writeYaml({ [field]: slice });
    const isFirst = isEmpty && text !== '';
    if (isFirst) isEmpty = false;
    yield Buffer.from(isFirst ? whole.slice(0, at) + text : text.slice(`${field}:\n`.length));
  }
  yield Buffer.from(isEmpty ? whole : whole.slice(at + empty.length));
}
