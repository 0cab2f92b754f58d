import { isJsonObject } from '../../base/index.ts';
import { skipString, skipValue } from './compact-json.ts';

/** A member of an object's compact JSON: its name with quotes, and where its value is. */
interface Member {
  /** The bytes of the name, one character each: they order as the bytes do. */
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

const [comma, braceOpen, braceClose, bracketOpen] = [0x2c, 0x7b, 0x7d, 0x5b];
/** Lists in metadata whose entries have members in another order than that of their names. */
const recordLists: ReadonlySet<string> = new Set(['"managedFields"', '"ownerReferences"']);

/**
 * The compact JSON of an object of the API with its members sorted by name, those of its metadata too, in another version that
 * differs in name only. What lies deeper in other members is passed on as it is.
 *
 * @throws CompactJsonError for bytes that are no such JSON.
 */
export function sortObject(bytes: Buffer, apiVersion: string): Buffer {
  const parts = sortedParts(bytes, 0, (member) => {
    if (member.name === '"apiVersion"') return [Buffer.from(`"apiVersion":${JSON.stringify(apiVersion)}`)];
    if (member.name === '"metadata"')
      return [nameOf(bytes, member), ...metadataParts(bytes, member.valueStart)];
    return [bytes.subarray(member.start, member.end)];
  });
  return Buffer.concat(parts);
}

type PartsOf = (member: Member) => readonly Buffer[];

function metadataParts(bytes: Buffer, at: number): Buffer[] {
  return sortedParts(bytes, at, (member) =>
    recordLists.has(member.name) && bytes[member.valueStart] === bracketOpen
      ? [nameOf(bytes, member), ...recordParts(bytes, member.valueStart)]
      : [bytes.subarray(member.start, member.end)],
  );
}

function recordParts(bytes: Buffer, from: number): Buffer[] {
  const parts: Buffer[] = [];
  let at = from + 1;
  while (bytes[at] === braceOpen) {
    parts.push(parts.length === 0 ? opening : separator);
    parts.push(...sortedParts(bytes, at, ({ start, end }) => [bytes.subarray(start, end)]));
    at = skipValue(bytes, at);
    if (bytes[at] === comma) at++;
  }
  parts.push(parts.length === 0 ? emptyList : closing);
  return parts;
}

const opening = Buffer.from('[');
const separator = Buffer.from(',');
const closing = Buffer.from(']');
const emptyList = Buffer.from('[]');
const open = Buffer.from('{');
const close = Buffer.from('}');

const nameOf = (bytes: Buffer, { start, valueStart }: Member): Buffer => bytes.subarray(start, valueStart);

/** The object at `at` with its members sorted. */
function sortedParts(bytes: Buffer, at: number, partsOf: PartsOf): Buffer[] {
  const members = membersAt(bytes, at).sort((a, b) => (a.name < b.name ? -1 : 1));
  const parts: Buffer[] = [open];
  for (const [index, member] of members.entries()) {
    if (index > 0) parts.push(separator);
    parts.push(...partsOf(member));
  }
  parts.push(close);
  return parts;
}

function membersAt(bytes: Buffer, from: number): Member[] {
  const members: Member[] = [];
  let at = from + 1;
  while (bytes[at] !== braceClose) {
    const nameEnd = skipString(bytes, at);
    const end = skipValue(bytes, nameEnd + 1);
    members.push({ name: bytes.toString('latin1', at, nameEnd), start: at, valueStart: nameEnd + 1, end });
    at = bytes[end] === comma ? end + 1 : end;
  }
  return members;
}

/** The same for an object that is no JSON yet: a new one, which shares what lies deeper. */
export function sortMembers<T extends object>(object: T): T {
  return mapSorted(object, (name, value) => {
    if (name !== 'metadata' || !isJsonObject(value)) return value;
    return mapSorted(value, (field, part) =>
      recordLists.has(`"${field}"`) && Array.isArray(part)
        ? part.map((entry) => (isJsonObject(entry) ? mapSorted(entry, (_, member) => member) : entry))
        : part,
    );
  });
}

function mapSorted<T extends object>(object: T, map: (name: string, value: unknown) => unknown): T {
  const names = Object.keys(object).sort();
  const sorted = Object.fromEntries(names.map((name) => [name, map(name, Reflect.get(object, name))]));
  // The same members, in another order.
  return sorted as T;
}
