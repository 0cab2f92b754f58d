import { loadDocument } from './load.ts';
import { ClientConfigError } from './model.ts';
import { saveDocument } from './save.ts';

/** The lists of a configuration file. */
export type ConfigSection = 'clusters' | 'users' | 'contexts';

/** One change to a file. `fields` are named as in the file; undefined takes a field out, others stay. */
export type ConfigEdit =
  | {
      readonly kind: 'set';
      readonly section: ConfigSection;
      readonly name: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'remove'; readonly section: ConfigSection; readonly name: string }
  | {
      readonly kind: 'rename';
      readonly section: ConfigSection;
      readonly name: string;
      readonly newName: string;
    }
  | { readonly kind: 'current-context'; readonly name: string };

/**
 * Changes one file and leaves alone what this program does not know in it. A file that does not exist is made.
 *
 * @throws ClientConfigError when the file cannot be read or is no configuration.
 */
export async function editClientConfigFile(file: string, edits: readonly ConfigEdit[]): Promise<void> {
  const found = (await loadDocument(file)) ?? {};
  if (typeof found !== 'object' || Array.isArray(found)) {
    throw new ClientConfigError(`error loading config file "${file}": the document must be a map`);
  }
  const document: Record<string, unknown> = {
    apiVersion: 'v1',
    clusters: [],
    contexts: [],
    'current-context': '',
    kind: 'Config',
    preferences: {},
    users: [],
    ...found,
  };
  for (const edit of edits) applyEdit(document, edit);
  await saveDocument(file, document);
}

interface NamedRow {
  name?: unknown;
  [key: string]: unknown;
}

const entryKeys = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;

function applyEdit(document: Record<string, unknown>, edit: ConfigEdit): void {
  if (edit.kind === 'current-context') {
    document['current-context'] = edit.name;
    return;
  }
  const list = document[edit.section];
  // Rows are maps in every file that `loadClientConfig` accepts, and callers load before they edit.
  const rows: NamedRow[] = Array.isArray(list) ? list : [];
  const row = rows.find((candidate) => candidate.name === edit.name);
  if (edit.kind === 'remove') document[edit.section] = rows.filter((candidate) => candidate !== row);
  else if (edit.kind === 'rename') {
    if (row !== undefined) row.name = edit.newName;
  } else {
    const key = entryKeys[edit.section];
    const entry = { ...(row?.[key] as object | undefined), ...edit.fields }; // a map, or absent
    const kept = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
    if (row === undefined) document[edit.section] = [...rows, { [key]: kept, name: edit.name }];
    else row[key] = kept;
  }
}
