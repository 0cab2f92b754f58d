import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';

/** An expression as the library parses it; `id` leads to its place in the text. */
export type { Expr };

/** A value that only the library looks into: an unsigned number, a time, a duration, a list, a map. */
export interface LibraryValue {
  /** Of an unsigned number. */
  readonly value?: bigint;
  /** Of times and durations. */
  readonly message?: { readonly seconds: bigint; readonly nanos: number };
}

/** What functions of the library take and make. */
export type LibraryScalar = null | boolean | bigint | number | string | Uint8Array | LibraryValue;

/** The parts of `@bufbuild/cel` that are used here: its parser, its functions, its values of time. */
interface Library {
  parse(text: string): {
    readonly expr: Expr;
    readonly sourceInfo?: { readonly positions: Readonly<Record<string, number>> };
  };
  celEnv(options: { readonly funcs: readonly object[] }): object;
  plan(
    env: object,
    expr: object,
  ): (bindings: Readonly<Record<string, LibraryScalar | undefined>>) => LibraryScalar;
  isCelError(value: LibraryScalar): value is LibraryValue & { readonly message: string };
  celUint(value: bigint): LibraryValue;
  celType(value: LibraryScalar): { readonly name: string };
  isCelUint(value: unknown): boolean;
  celList(items: readonly LibraryScalar[]): LibraryValue;
  celMap(entries: ReadonlyMap<unknown, LibraryScalar>): LibraryValue;
  isCelList(value: unknown): value is Iterable<LibraryScalar>;
}

interface Loaded {
  readonly library: Library;
  readonly env: object;
}

let loaded: Loaded | undefined;

/** Loaded when the first expression comes: most servers have none, and it takes 20 MB and as long as half of their start. */
function load(): Loaded {
  const { createRequire } = process.getBuiltinModule('node:module');
  if (loaded === undefined) {
    const require = createRequire(import.meta.url);
    const library: Library = require('@bufbuild/cel');
    const { strings }: { readonly strings: readonly object[] } = require('@bufbuild/cel/ext');
    loaded = { library, env: library.celEnv({ funcs: [...strings] }) };
  }
  return loaded;
}

/** What a text says, and where in it the parts stand, in UTF-16 units. */
export interface ParsedText {
  readonly expr: Expr;
  readonly positions: Readonly<Record<string, number>>;
}

/** Why a text is no expression. */
export interface SyntaxFault {
  readonly fault: string;
  readonly offset: number;
}

/** Parses a text whose length and depth were checked. Macros are expanded. */
export function parseText(text: string): ParsedText | SyntaxFault {
  const { library } = load();
  try {
    const { expr, sourceInfo } = library.parse(text);
    return { expr, positions: sourceInfo?.positions ?? {} };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The library says where it stopped in its message.
    const [, line = '1', column = '1', fault = error.message] = placed.exec(error.message) ?? [];
    return { fault, offset: offsetOf(text, Number(line), Number(column)) };
  }
}

const placed = /^<input>:(\d+):(\d+): (.*)$/s;

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, each) => sum + each.length + 1, column - 1);
}

/** Calls a function of the library with values of its own kinds. */
export type LibraryCall = (args: readonly LibraryScalar[]) => LibraryScalar | LibraryFault;

/** What a call of the library answers when it fails. */
export class LibraryFault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const calls = new Map<string, LibraryCall>();

/** A function of the library by its name; `isMember` when the first of its `count` arguments is what it is called on. */
export function libraryCall(name: string, count: number, isMember: boolean): LibraryCall {
  const key = `${name}/${count}/${isMember}`;
  let call = calls.get(key);
  if (call === undefined) {
    call = makeCall(name, count, isMember);
    calls.set(key, call);
  }
  return call;
}

/** Functions run within a plan only: one is made of a call with names for its arguments. */
function makeCall(name: string, count: number, isMember: boolean): LibraryCall {
  const { library, env } = load();
  const names = Array.from({ length: count }, (_, at) => `a${at}`);
  const args = names.map((each, at) => node(at + 2, { case: 'identExpr', value: { name: each } }));
  const target = isMember ? args.shift() : undefined;
  const run = library.plan(env, node(1, { case: 'callExpr', value: { function: name, target, args } }));
  return (values) => {
    const result = run(Object.fromEntries(names.map((each, at) => [each, values[at]])));
    return library.isCelError(result) ? new LibraryFault(result.message) : result;
  };
}

const node = (id: number, exprKind: object): object => ({ id: BigInt(id), exprKind });

/** The library's unsigned number. */
export const libraryUint = (value: bigint): LibraryValue => load().library.celUint(value);

/** The library's name for what a value is: `google.protobuf.Timestamp`, `uint`. */
export const libraryTypeName = (value: LibraryValue): string => load().library.celType(value).name;

/** The number of an unsigned value of the library; undefined for any other value. */
export const uintOf = (value: LibraryValue): bigint | undefined =>
  load().library.isCelUint(value) ? value.value : undefined;

/** The library's list of the same values. */
export const libraryList = (items: readonly LibraryScalar[]): LibraryValue => load().library.celList(items);

/** The library's map of the same entries. */
export const libraryMap = (entries: ReadonlyMap<unknown, LibraryScalar>): LibraryValue =>
  load().library.celMap(entries);

/** The items of a list of the library; undefined for any other value. */
export function libraryItems(value: LibraryScalar): readonly LibraryScalar[] | undefined {
  return typeof value === 'object' && load().library.isCelList(value) ? [...value] : undefined;
}
