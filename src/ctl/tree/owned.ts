import { asJsonObject, asText } from '../../base/index.ts';
import { asRecords } from '../describe/report.ts';
import type { TableDocument, TableRow } from '../printers/table-document.ts';

/** An object as far as a tree shows it. */
export interface Entry {
  readonly apiVersion: string;
  readonly kind: string;
  /** `deployment.apps/web`. */
  readonly title: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** What tables of its type say; empty where they have no such column. */
  readonly ready: string;
  readonly status: string;
  readonly creationTimestamp: string;
  readonly owners: readonly OwnerName[];
}

/** An object that owns another. */
export interface OwnerName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** An entry with what is below it. */
export interface Branch extends Entry {
  readonly children: readonly Branch[];
}

/** What all entries of a table have in common: the type. */
export interface EntryType {
  readonly apiVersion: string;
  readonly kind: string;
  /** As in sentences: `deployment.apps`. */
  readonly kindName: string;
}

/** The objects of a table of one type, with its columns Ready and Status. Rows without metadata are left out. */
export function readEntries({ columns, rows }: TableDocument, type: EntryType): readonly Entry[] {
  const find = (...names: readonly string[]) => columns.findIndex(({ name }) => names.includes(name));
  const ready = find('Ready', 'Completions');
  const status = find('Status');
  return rows.flatMap((row) => readEntry(row, { type, ready, status }));
}

function readEntry(
  { cells, object }: TableRow,
  { type, ready, status }: { readonly type: EntryType; readonly ready: number; readonly status: number },
): readonly Entry[] {
  const metadata = asJsonObject(asJsonObject(object).metadata);
  const name = asText(metadata.name);
  if (name === '') return [];
  const { apiVersion, kind, kindName } = type;
  return [
    {
      apiVersion,
      kind,
      title: `${kindName}/${name}`,
      name,
      namespace: asText(metadata.namespace),
      uid: asText(metadata.uid),
      ready: String(cells[ready] ?? ''),
      status: String(cells[status] ?? ''),
      creationTimestamp: asText(metadata.creationTimestamp),
      owners: asRecords(metadata.ownerReferences).map((owner) => ({
        apiVersion: asText(owner.apiVersion),
        kind: asText(owner.kind),
        name: asText(owner.name),
        uid: asText(owner.uid),
      })),
    },
  ];
}

/** Levels that a tree has at most: people do not own that deep, and programs that do must not end the client. */
const maxLevels = 100;

/**
 * The tree below an entry. Objects that are served in several groups stand there once; one with several owners stands
 * below each, what it owns only below the first, so that circles of owners end.
 */
export function growTree(root: Entry, entries: readonly Entry[]): Branch {
  const byOwner = new Map<string, Map<string, Entry>>();
  for (const entry of entries) {
    for (const { uid } of entry.owners) {
      const owned = byOwner.get(uid) ?? new Map<string, Entry>();
      if (!owned.has(entry.uid)) owned.set(entry.uid, entry);
      byOwner.set(uid, owned);
    }
  }
  const seen = new Set<string>();
  const grow = (entry: Entry, level: number): Branch => {
    if (seen.has(entry.uid)) return { ...entry, children: [] };
    const owned = [...(byOwner.get(entry.uid)?.values() ?? [])];
    if (level === maxLevels && owned.length > 0)
      return { ...entry, status: `owns ${owned.length} more`, children: [] };
    seen.add(entry.uid);
    owned.sort((a, b) => (a.title < b.title ? -1 : 1));
    return { ...entry, children: owned.map((each) => grow(each, level + 1)) };
  };
  return grow(root, 1);
}

/** The branches of a tree from above, each with the lines that lead to it. */
export function listBranches(root: Branch): readonly { readonly lead: string; readonly branch: Branch }[] {
  const below = (branch: Branch, indent: string): { lead: string; branch: Branch }[] =>
    branch.children.flatMap((child, index) => {
      const isLast = index === branch.children.length - 1;
      const rest = below(child, `${indent}${isLast ? '   ' : '│  '}`);
      return [{ lead: `${indent}${isLast ? '└─ ' : '├─ '}`, branch: child }, ...rest];
    });
  return [{ lead: '', branch: root }, ...below(root, '')];
}
