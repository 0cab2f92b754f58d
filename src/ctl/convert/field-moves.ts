import { isJsonObject, ownData, ownValue } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import data from './field-moves.json' with { type: 'json' };

/** A field whose place in some versions of a kind is not the one that the rules of the kind name. */
export interface FieldMove {
  readonly kind: string;
  /** Versions (`group/version`) that have it at `to`. */
  readonly versions: readonly string[];
  /** Place that rules name, `[*]` for every item. */
  readonly from: string;
  /** Place in these versions, with as many `[*]` at most. Of several for one `from` the first that an object has. */
  readonly to: string;
  /** What lies below has no place of its own. */
  readonly isWhole?: boolean | undefined;
}

/** A place in an object of a kind, as a rule names it. */
export interface NamedField {
  readonly kind: string;
  /** The version (`group/version`) of the object. */
  readonly version: string;
  /** `spec.rules[0].host` */
  readonly path: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** The place of a field in the object's own version. */
export type FieldTranslator = (field: NamedField) => string;

/** All moves, in the names of a dialect; those of deeper fields come first. */
export function loadFieldMoves(dialect: Dialect): readonly FieldMove[] {
  return translateData(dialect, ownData<readonly FieldMove[]>(data.moves));
}

interface CompiledMove extends FieldMove {
  readonly pattern: RegExp;
}

/** Makes the translator; what no move is about stays as it is. */
export function createFieldTranslator(dialect: Dialect): FieldTranslator {
  const moves = new Map<string, CompiledMove[]>();
  for (const move of loadFieldMoves(dialect)) {
    for (const version of move.versions) {
      const key = `${version}.${move.kind}`;
      const known = moves.get(key) ?? [];
      known.push({ ...move, pattern: compile(move.from) });
      moves.set(key, known);
    }
  }
  return ({ kind, version, path, object }) => {
    const all = moves.get(`${version}.${kind}`) ?? [];
    const first = all.find(({ pattern }) => pattern.test(path));
    if (first === undefined) return path;
    const candidates = all.filter(({ from }) => from === first.from).map(({ to }) => fill(to, first, path));
    const { to, rest } =
      candidates.find((candidate) => hasField(object, candidate.to)) ?? fill(first.to, first, path);
    return first.isWhole ? to : to + rest;
  };
}

/** Matches a path to the field or one below, with the positions in lists. */
function compile(from: string): RegExp {
  const source = from.replace(/[.[\]]/g, '\\$&').replaceAll('\\[*\\]', '\\[(\\d+)\\]');
  return new RegExp(`^${source}(?=$|[.[])`);
}

function fill(to: string, { pattern }: CompiledMove, path: string): { to: string; rest: string } {
  const [whole = '', ...positions] = pattern.exec(path) ?? [];
  const filled = to.replaceAll('[*]', () => `[${positions.shift()}]`);
  return { to: filled, rest: path.slice(whole.length) };
}

function hasField(object: unknown, path: string): boolean {
  let value = object;
  for (const [, key, name] of path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    const field = key ?? name ?? '';
    if (Array.isArray(value)) value = value[Number(field)];
    else value = isJsonObject(value) ? ownValue(value, field) : undefined;
  }
  return value !== undefined;
}
