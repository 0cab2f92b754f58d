import type { Pattern } from '../../schema/structural/index.ts';
import type { Estimate } from '../estimate.ts';
import type { Expr } from '../library.ts';
import type { Run } from '../runs.ts';
import type { CelType } from '../types.ts';
import type { Failure, Value } from '../values.ts';

/** A part of an expression, ready to run. */
export interface Part extends Estimate {
  readonly type: CelType;
  readonly run: Run;
  /** The value of what is always the same. */
  readonly constant?: Value;
}

/** Something that is wrong with an expression; `offset` is in UTF-16 units. */
export interface Issue {
  readonly offset: number;
  readonly text: string;
}

/** A name that a macro binds, and those around it. */
export interface Scope {
  readonly name: string;
  /** Place among the locals of a run. */
  readonly slot: number;
  readonly type: CelType;
  readonly size: number;
  readonly outer: Scope | undefined;
}

/** What a loop gathers its list in. */
export interface Gathering {
  readonly name: string;
  readonly slot: number;
  element: CelType | undefined;
}

/** What one kind of syntax holds, as the library parses it. */
export type Syntax<Case extends Expr['exprKind']['case']> =
  Extract<Expr['exprKind'], { case: Case }> extends {
    value: infer Value;
  }
    ? Value
    : never;

/** The compilation of one expression, as the files for its kinds of syntax see it. */
export interface Compilation {
  /** The loop whose list is being made. */
  gathering: Gathering | undefined;
  compile(expr: Expr | undefined, scope: Scope | undefined): Part;
  /** The declared name that a chain of fields spells (`a.b`), where macros bind none of its parts; undefined for others. */
  qualifiedName(expr: Expr, scope: Scope | undefined): Part | undefined;
  /** Notes what is wrong. The part stands in for the wrong one, and is of any type. */
  fail(expr: Expr | undefined, text: string): Part;
  /** A place among the locals of a run. */
  takeSlot(): number;
  /** Whether the name is bound by a macro, or declared. */
  isKnown(name: string, scope: Scope | undefined): boolean;
  /** Which of the entries of a list or a map are optional. `starts` are the parts that they begin with. */
  optionalEntries(expr: Expr, starts: readonly (Expr | undefined)[]): ReadonlySet<number>;
  /** The name that stood in backquotes where the parser found this one. */
  quotedName(name: string): string | undefined;
  /** Whether `.?` or `[?` stood where the expression has its place. */
  isOptional(expr: Expr): boolean;
  /** The pattern of a text. All patterns of an expression share the steps that compiling them may take. */
  pattern(text: string): Pattern | Failure;
}
