import type { AppliedObject, ApplyConfigurationInput } from '../../../../../src/machinery/apply/index.ts';
import { StatusError } from '../../../../../src/machinery/errors/index.ts';
import type { ManagedFieldsEntry } from '../../../../../src/machinery/meta/index.ts';
import type { Act } from './acts.ts';
import { atOnce } from './at-once.ts';
import { type Nodes, nodesOf, separator } from './nodes.ts';
import type { Shape } from './shape.ts';
import { createTestManager, inVersion, pathInFirst, type Version } from './two-versions.ts';

type Json = Record<string, unknown>;

/** An act as the field manager gets it: drops are applies, updates are whole objects. */
export type Deed = AppliedDeed | UpdateDeed;
export interface AppliedDeed {
  readonly who: string;
  readonly config: Json;
  readonly isForced: boolean;
  readonly version: Version;
}
export interface UpdateDeed {
  readonly who: string;
  readonly object: Json;
  readonly version: Version;
}

/** One object in the hands of the code under test. */
export interface Stage {
  /** What an act comes to now. */
  deedOf(act: Act): Deed;
  /** Does it; gives the conflicts as `identity path`, sorted. Refused acts change nothing. */
  play(deed: Deed): string[];
  /** The same configuration once more, without force and without keeping the result. */
  again(deed: AppliedDeed): AppliedObject;
  /** The object as stored, without metadata. */
  object(): Json;
  /** The places of the object as the last act left it, emptied ones included. */
  nodes(): Nodes;
  entries(): readonly ManagedFieldsEntry[];
  /** `path <- identities`, sorted, as the interpreter has them. */
  owners(): string[];
  /** Paths that an identity owns. */
  ownedBy(id: string): string[];
  /** Somebody updates without changing anything: owners of whole objects come to own what is in them. */
  settle(version: Version): void;
  /** What an update that changes nothing would record. */
  rewritten(version: Version): readonly ManagedFieldsEntry[] | undefined;
}

const now = '2020-01-01T00:00:00Z';
const metadata = { name: 'x', uid: 'u' };
const whole = (object: Json, version: Version): Json =>
  inVersion({ apiVersion: 'v1', kind: 'Thing', metadata, ...object }, version);

/** Starts without an object. */
export function createStage(shape: Shape & { kind: 'struct' }): Stage {
  const fields = atOnce(createTestManager(shape));
  const lastConfigs = new Map<string, Json>();
  let isCreated = false;
  let object: Json = {};
  let nodes: Nodes = new Map();
  let entries: ManagedFieldsEntry[] | undefined;
  const live = (version: Version): Json | undefined =>
    isCreated ? whole({ ...object, metadata: { ...metadata, managedFields: entries } }, version) : undefined;
  const store = (changed: Json): void => {
    isCreated = true;
    nodes = nodesOf(shape, changed);
    // The root is an object.
    object = decode(shape, spec(changed)) as Json;
  };
  const inputOf = (deed: AppliedDeed): ApplyConfigurationInput => ({
    now,
    apiVersion: deed.version,
    live: live(deed.version),
    config: whole(deed.config, deed.version),
    manager: deed.who,
    isForced: deed.isForced,
  });
  const record = ({ who, version, object: written }: UpdateDeed): ManagedFieldsEntry[] | undefined =>
    fields.recordUpdate({
      now,
      apiVersion: version,
      live: live(version),
      object: whole(written, version),
      manager: who,
    });
  const owned = (): [path: string, id: string][] =>
    (entries ?? []).flatMap(({ manager, operation, apiVersion, fieldsV1 }) => {
      const id = operation === 'Apply' ? `${manager} Apply` : `${manager} Update ${apiVersion}`;
      return ownedPaths(fieldsV1 ?? {}).map((path): [string, string] => [pathInFirst(path), id]);
    });
  return {
    deedOf(act) {
      const { who, version } = act;
      if (act.act === 'update') {
        const kept = Object.entries({ ...object, ...act.set }).filter(
          ([name]) => !act.without.includes(name),
        );
        return { who, version, object: Object.fromEntries(kept) };
      }
      if (act.act !== 'drop') return { who, version, config: act.config, isForced: act.act === 'force' };
      const { [act.field]: _dropped, ...config } = lastConfigs.get(who) ?? {};
      return { who, version, config, isForced: false };
    },
    play(deed) {
      if ('object' in deed) {
        entries = record(deed);
        store(deed.object);
        return [];
      }
      try {
        const done = fields.applyConfiguration(inputOf(deed));
        entries = done.managedFields;
        store(inVersion(done.object, 'v1'));
      } catch (error) {
        return conflictsOf(error);
      }
      lastConfigs.set(deed.who, deed.config);
      return [];
    },
    again: (deed) => fields.applyConfiguration({ ...inputOf(deed), isForced: false }),
    object: () => object,
    nodes: () => nodes,
    entries: () => entries ?? [],
    owners() {
      const byPath = Map.groupBy(owned(), ([path]) => path);
      return [...byPath].map(([path, all]) => `${path} <- ${all.map(([, id]) => id).sort()}`).sort();
    },
    ownedBy: (id) => owned().flatMap(([path, owner]) => (owner === id ? [path] : [])),
    settle(version) {
      if (isCreated) entries = record({ who: 'w', version, object });
    },
    rewritten: (version) => record({ who: 'w', version, object }),
  };
}

const spec = ({ apiVersion: _version, kind: _kind, metadata: _metadata, ...rest }: Json): Json => rest;

/** The object as storing and reading it leaves it: null fields go, null entries of maps become empty. */
function decode(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'struct':
      return decodeMembers(value, (name) => shape.fields[name], { isMap: false });
    case 'map':
    case 'open':
      return decodeMembers(value, () => shape.of, { isMap: true });
    case 'keyed':
    case 'twoKeys':
      return (value as unknown[]).map((item) => decode({ kind: 'struct', fields: { v: shape.of } }, item));
    default:
      return value;
  }
}

function decodeMembers(
  value: unknown,
  shapeOf: (name: string) => Shape | undefined,
  { isMap }: { isMap: boolean },
): unknown {
  const members = Object.entries(value as Json).flatMap(([name, member]): [string, unknown][] => {
    const shape = shapeOf(name);
    if (member === null) return isMap ? [[name, shape && emptyOf(shape)]] : [];
    return [[name, shape === undefined ? member : decode(shape, member)]];
  });
  return Object.fromEntries(members);
}

const emptyOf = ({ kind }: Shape): unknown =>
  kind === 'set' || kind === 'keyed' || kind === 'twoKeys' ? [] : {};

/** Reads `fieldsV1` plainly: an empty object or a dot is the path itself. */
function ownedPaths(form: object, path = ''): string[] {
  return Object.entries(form).flatMap(([part, below]) => {
    if (part === '.') return [path];
    const own = path === '' ? part : `${path}${separator}${part}`;
    return Object.keys(below).length === 0 ? [own] : ownedPaths(below, own);
  });
}

function conflictsOf(error: unknown): string[] {
  if (!(error instanceof StatusError) || error.status.code !== 409) throw error;
  const causes = error.status.details?.causes ?? [];
  const shown = causes.map(({ message = '', field }) => {
    const [, who, version] = /^conflict with "(\w|before-first-apply)"(?: using (v\d))?$/.exec(message) ?? [];
    const id = version === undefined ? `${who} Apply` : `${who} Update ${version}`;
    return `${id} ${pathInFirst(field ?? '')}`;
  });
  return shown.sort();
}
