import { ownData } from '../../base/index.ts';
import data from '../types.json' with { type: 'json' };

/** A field, as far as schemas tell of it. Names are those of `types.json`. */
export interface SchemaField {
  readonly n: string;
  readonly t: string;
  readonly req?: 1;
  readonly e?: string;
  readonly inline?: 1;
  readonly json?: string;
  readonly meta?: 1;
  /** Later releases have it, and a server that is told to: documents are those of release 1.20. */
  readonly later?: 1;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  readonly mapType?: string;
  readonly structType?: string;
  readonly patchStrategy?: readonly string[];
  readonly patchMergeKey?: string;
}

/** A type; without fields it has a JSON form of its own (`special`). */
export interface SchemaType {
  readonly f?: readonly SchemaField[];
  readonly kind?: 1;
  readonly structType?: string;
  readonly special?: { readonly json: string };
  readonly unions?: readonly {
    readonly discriminator: string;
    readonly fields: Readonly<Record<string, string>>;
  }[];
}

interface EnumData {
  readonly open?: 1;
  readonly values: readonly string[];
}

// The compiler infers a type per key of the file; these interfaces are what all entries share.
/** All types by key, in the spelling of the data. */
export const schemaTypes = ownData<Readonly<Record<string, SchemaType>>>(data.types);
const enums = ownData<Readonly<Record<string, EnumData>>>(data.enums);

/** Values of an enum that has no others; undefined for open ones. */
export function closedValues(name: string): readonly string[] | undefined {
  const found = enums[name];
  return found === undefined || found.open ? undefined : found.values;
}

/** Every group version that objects may be of, in order: options of the protocol are registered in each. */
export function listGroupVersions(): readonly { readonly group: string; readonly version: string }[] {
  const seen = new Set<string>();
  for (const [name, { kind }] of Object.entries(schemaTypes)) {
    const groupVersion = name.slice(0, name.lastIndexOf('.'));
    if (kind === 1 && !/^(?:meta|audit|client\.authentication)\./.test(groupVersion)) seen.add(groupVersion);
  }
  return [...seen]
    .map((text) => {
      const [version = '', group = ''] = text.split('/').reverse();
      return { group, version };
    })
    .sort((a, b) => compare(a.group, b.group) || compare(a.version, b.version));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
