import data from './functions.json' with { type: 'json' };
import {
  bool,
  type CelType,
  isAssignable,
  joinTypes,
  listOf,
  mapOf,
  optionalOf,
  simpleNames,
  simpleType,
  substitute,
  typeText,
} from './types.ts';

/** One way to call a function. A member's first argument is what it is called on. */
interface Signature {
  readonly args: readonly CelType[];
  readonly result: CelType;
}

let functions: ReadonlyMap<string, readonly Signature[]> | undefined;
let members: ReadonlyMap<string, readonly Signature[]> | undefined;

/** Whether a function (`size`, `optional.of`), or a member, has the name at all. */
export const isFunction = (name: string, isMember: boolean): boolean => table(isMember).has(name);

/** The type of a call by the types of its arguments; undefined when no signature takes them. */
export function callType(name: string, args: readonly CelType[], isMember: boolean): CelType | undefined {
  let result: CelType | undefined;
  for (const signature of table(isMember).get(name) ?? []) {
    if (signature.args.length !== args.length) continue;
    const bindings = new Map<string, CelType>();
    const fits = signature.args.every((wanted, at) => {
      const given = args[at];
      return given !== undefined && isAssignable(wanted, given, bindings);
    });
    if (!fits) continue;
    const type = substitute(signature.result, bindings);
    result = result === undefined ? type : joinTypes(result, type);
  }
  return result;
}

/** A call as messages show it: `'_+_' applied to '(int, string)'`. */
export function callText(name: string, args: readonly CelType[], isMember: boolean): string {
  const [first, ...others] = args.map(typeText);
  const given = isMember ? `${first}.(${others.join(', ')})` : `(${args.map(typeText).join(', ')})`;
  return `'${name}' applied to '${given}'`;
}

function table(isMember: boolean): ReadonlyMap<string, readonly Signature[]> {
  functions ??= Map.groupBy([...data.functions.map(parseFunction), ...comparisons()], ({ name }) => name);
  members ??= Map.groupBy(data.members.map(parseMember), ({ name }) => name);
  return isMember ? members : functions;
}

interface NamedSignature extends Signature {
  readonly name: string;
}

function comparisons(): NamedSignature[] {
  const pairs = [
    ...data.comparable.map((name) => [name, name]),
    ...data.numbers.flatMap((one) =>
      data.numbers.filter((other) => other !== one).map((other) => [one, other]),
    ),
  ];
  return data.comparisons.flatMap((name) =>
    pairs.map((pair) => ({ name, args: pair.map(parseType), result: bool })),
  );
}

function parseFunction(text: string): NamedSignature {
  const open = text.indexOf('(');
  const close = text.lastIndexOf('):');
  return {
    name: text.slice(0, open),
    args: splitTypes(text.slice(open + 1, close)).map(parseType),
    result: parseType(text.slice(close + 2).trim()),
  };
}

function parseMember(text: string): NamedSignature {
  const open = text.indexOf('(');
  const dot = text.lastIndexOf('.', open);
  const { args, ...rest } = parseFunction(text.slice(dot + 1));
  return { ...rest, args: [parseType(text.slice(0, dot)), ...args] };
}

/** Splits at commas outside brackets. */
function splitTypes(text: string): string[] {
  return text === '' ? [] : text.split(/,\s*(?![^<]*>)/);
}

function parseType(text: string): CelType {
  const inner = /^(list|map|optional)<(.*)>$/.exec(text);
  if (inner !== null) {
    const [, outer = '', parts = ''] = inner;
    const [first = dynText, second = dynText] = outer === 'map' ? splitTypes(parts) : [parts];
    if (outer === 'list') return listOf(parseType(first));
    return outer === 'map' ? mapOf(parseType(first), parseType(second)) : optionalOf(parseType(first));
  }
  if (/^[A-Z]$/.test(text)) return { kind: 'param', name: text };
  const name = simpleNames.find((each) => each === text);
  return name === undefined ? { kind: 'opaque', name: text } : simpleType(name);
}

const dynText = 'dyn';
