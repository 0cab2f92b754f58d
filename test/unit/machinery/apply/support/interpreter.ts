import { isDeepStrictEqual } from 'node:util';
import { type Node, type Nodes, nodesOf, objectOf, separator, showPath } from './nodes.ts';
import type { Shape } from './shape.ts';

type Json = Record<string, unknown>;
/** Path to the identities (`x Apply`, `y Update v1`) that own it; versions name fields differently, not here. */
type Owners = Map<string, Set<string>>;

/** A plain interpreter of the rules of ownership for one object: slow, and nothing of it comes from the code under test. */
export interface Interpreter {
  /** Conflicts as `identity path`, sorted; when there are any, nothing happens. */
  apply(act: { who: string; version: string; config: Json; isForced: boolean }): string[];
  /** Somebody writes the whole object; that never conflicts. */
  update(act: { who: string; version: string; object: Json }): string[];
  object(): Json;
  /** `path <- identities` for each path that somebody owns, sorted. */
  owners(): string[];
}

/** Starts without an object. */
export function createInterpreter(shape: Shape): Interpreter {
  let live: Nodes | undefined;
  let owners: Owners = new Map();

  const apply: Interpreter['apply'] = ({ who, version, config, isForced }) => {
    const id = `${who} Apply`;
    const before = live ?? new Map<string, Node>();
    const claims = copyOf(owners);
    // What was there when nobody was recorded is somebody's all the same.
    if (claims.size === 0)
      for (const path of before.keys()) claim(claims, path, `before-first-apply Update ${version}`);
    claimBelow(before, claims);
    const last = [...claims].filter(([, ids]) => ids.has(id)).map(([path]) => path);
    for (const path of last) disclaim(claims, path, id);
    const wanted = nodesOf(shape, config);
    for (const [path, { isNamed }] of wanted) if (isNamed) claim(claims, path, id);
    const { after, emptied } = prune(
      merge(before, wanted),
      last.filter((path) => !claims.has(path)),
    );
    const { written, removed } = changes(before, after);
    const conflicts: string[] = [];
    for (const path of written) {
      for (const owner of claims.get(path) ?? [])
        if (owner !== id) conflicts.push(`${owner} ${showPath(path)}`);
    }
    if (conflicts.length > 0 && !isForced) return conflicts.sort();
    for (const path of written) {
      for (const owner of [...(claims.get(path) ?? [])]) if (owner !== id) disclaim(claims, path, owner);
    }
    for (const path of removed) claims.delete(path);
    // Emptied is not removed: owners stay, though storing the object drops declared objects and lists then.
    live = new Map([...after].filter(([path, { isNamed }]) => isNamed || !emptied.has(path)));
    owners = claims;
    return [];
  };

  const update: Interpreter['update'] = ({ who, version, object }) => {
    const before = live;
    live = nodesOf(shape, object);
    // Once nobody is recorded, only an apply starts the record again.
    if (before !== undefined && owners.size === 0) return [];
    claimBelow(before ?? new Map(), owners);
    const { written, removed } = changes(before ?? new Map(), live);
    for (const path of written) owners.set(path, new Set([`${who} Update ${version}`]));
    for (const path of removed) owners.delete(path);
    return [];
  };

  const list = (): string[] =>
    [...owners].map(([path, ids]) => `${path} <- ${[...ids].sort().join()}`).sort();
  return { apply, update, object: () => objectOf(live ?? new Map()), owners: list };
}

const copyOf = (owners: Owners): Owners => new Map([...owners].map(([path, ids]) => [path, new Set(ids)]));

function claim(owners: Owners, path: string, id: string): void {
  const ids = owners.get(path) ?? new Set();
  owners.set(path, ids.add(id));
}

function disclaim(owners: Owners, path: string, id: string): void {
  const ids = owners.get(path);
  ids?.delete(id);
  if (ids?.size === 0) owners.delete(path);
}

/** Who owns an object or a list and nothing of what is in it comes to own all that is in it by now. */
function claimBelow(live: Nodes, owners: Owners): void {
  for (const [path, ids] of [...owners]) {
    const node = live.get(path);
    if (node === undefined || node.form === 'leaf' || !node.isDeclared) continue;
    const isBelow = (other: string): boolean => other.startsWith(`${path}${separator}`);
    for (const id of ids) {
      if ([...owners].some(([other, own]) => isBelow(other) && own.has(id))) continue;
      for (const [other, { isNamed }] of live) if (isNamed && isBelow(other)) claim(owners, other, id);
    }
  }
}

/** What is there keeps its place, new things come last, leaves of the configuration win. */
function merge(live: Nodes, config: Nodes): Map<string, Node> {
  const merged = new Map(live);
  for (const [path, node] of config) {
    if (node.form === 'leaf' || !merged.has(path)) merged.set(path, node);
  }
  return merged;
}

/** Takes paths and all below them away, and says which objects and lists thereby lost all that was in them. */
function prune(nodes: Nodes, dropped: readonly string[]): { after: Nodes; emptied: Set<string> } {
  const isGone = (path: string): boolean =>
    dropped.some((gone) => path === gone || path.startsWith(`${gone}${separator}`));
  const after = new Map([...nodes].filter(([path]) => !isGone(path)));
  const emptied = new Set<string>();
  for (const [path, { parent }] of nodes) {
    if (!after.has(parent) || after.has(path)) continue;
    if (![...after.values()].some((node) => node.parent === parent)) emptied.add(parent);
  }
  return { after, emptied };
}

function changes(before: Nodes, after: Nodes): { written: string[]; removed: string[] } {
  const written: string[] = [];
  for (const [path, { value }] of after) {
    const old = before.get(path);
    if (old === undefined || !isDeepStrictEqual(old.value, value)) written.push(path);
  }
  return { written, removed: [...before.keys()].filter((path) => !after.has(path)) };
}
