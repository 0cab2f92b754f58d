import protobuf from 'protobufjs';
import types from '../../src/apis/types.json' with { type: 'json' };

interface Row {
  readonly n: string;
  readonly t: string;
  readonly pb?: number;
  readonly in?: string;
}
interface Data {
  readonly f?: readonly Row[];
  readonly special?: { readonly pbmsg?: readonly Row[] };
}

// The compiler infers a type per key of the file; this is what is read of all of them.
const data = types.types as unknown as Readonly<Record<string, Data>>;
const scalars = new Set(['string', 'bool', 'int32', 'int64', 'double', 'bytes']);
const root = new protobuf.Root();
const known = new Map<string, protobuf.Type>();

/** The message of an API type in a general library, made from the data's names, types and numbers only. */
export function libraryType(name: string): protobuf.Type {
  const found = known.get(name);
  if (found !== undefined) return found;
  const type = new protobuf.Type(idOf(name));
  known.set(name, type);
  root.add(type);
  const rows = data[name]?.f ?? data[name]?.special?.pbmsg;
  if (rows === undefined) throw new RangeError(`no such type: ${name}`);
  for (const row of rows) if (row.pb !== undefined && row.in === undefined) type.add(fieldOf(row, row.pb));
  return type;
}

function fieldOf({ n, t }: Row, number: number): protobuf.FieldBase {
  const [, container, element = t] = /^(list|map)<(?:string,)?(.+)>$/.exec(t) ?? [];
  const type = scalars.has(element) ? element : idOf(element);
  if (!scalars.has(element)) libraryType(element);
  if (container === 'map') return new protobuf.MapField(n, number, 'string', type);
  const rule = container === 'list' ? 'repeated' : 'optional';
  return new protobuf.Field(n, number, type, rule, undefined, { packed: false });
}

const idOf = (name: string): string => `T_${name.replace(/[^A-Za-z0-9]/g, '_')}`;
