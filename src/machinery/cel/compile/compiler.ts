/**
 * From a parsed expression to functions: types are found and checked on the way, and what the expression may cost at most is
 * estimated. One file for each kind of syntax.
 */

import type { Pattern } from '../../schema/structural/index.ts';
import { sizeOf } from '../estimate.ts';
import { compileText } from '../functions/index.ts';
import type { Expr, ParsedText } from '../library.ts';
import { CostExceeded, Meter } from '../meter.ts';
import { localRun, variableRun } from '../runs.ts';
import { type CelType, dyn } from '../types.ts';
import { Failure } from '../values.ts';
import { compileSelect } from './access.ts';
import { compileCall } from './calls.ts';
import type { HiddenSyntax } from './hidden-syntax.ts';
import { compileConstant, compileList, compileMap, compileTypeName } from './literals.ts';
import { compileLoop } from './loops.ts';
import type { Compilation, Gathering, Issue, Part, Scope } from './part.ts';

/**
 * Parts within parts: `1 + 1 + ...` is nested as deeply as it is long. An expression runs on the stack, as it was compiled, which has
 * room for many more.
 */
const maxNesting = 300;

/** Steps that compiling all patterns of an expression may take: some milliseconds. */
const maxPatternCost = 30_000;

/** Turns one parsed expression into functions and finds its type. What is wrong is gathered, and is of any type. */
export class Compiler implements Compilation {
  readonly issues: Issue[] = [];
  gathering: Gathering | undefined;
  readonly #expr: Expr;
  readonly #variables: ReadonlyMap<string, CelType>;
  readonly #hidden: HiddenSyntax;
  readonly #patternMeter = new Meter(maxPatternCost);
  readonly #hasQualified: boolean;
  #slots = 0;
  #nesting = 0;

  constructor(parsed: ParsedText, variables: ReadonlyMap<string, CelType>, hidden: HiddenSyntax) {
    this.#expr = parsed.expr;
    this.#variables = variables;
    this.#hidden = hidden;
    this.#hasQualified = [...variables.keys()].some((name) => name.includes('.'));
    this.#patternMeter.begin();
  }

  /** Compiles the expression, once. */
  compileAll(): Part {
    const part = this.compile(this.#expr);
    const stray = this.#hidden.strayMark;
    if (stray !== undefined) this.issues.push({ offset: stray, text: "Syntax error: unexpected '?'" });
    return part;
  }

  compile(expr: Expr | undefined, scope?: Scope): Part {
    if (expr === undefined) return this.fail(undefined, 'missing expression');
    if (this.#nesting >= maxNesting) {
      // Told once: whatever is around it would tell of the same.
      if (this.issues.length > 0) return nothing;
      return this.fail(expr, `expression recursion limit exceeded: ${maxNesting}`);
    }
    this.#nesting++;
    const part = this.#compile(expr, scope);
    this.#nesting--;
    return part;
  }

  #compile(expr: Expr, scope: Scope | undefined): Part {
    const { exprKind } = expr;
    switch (exprKind.case) {
      case 'constExpr':
        return compileConstant(exprKind.value);
      case 'identExpr':
        return this.#name(expr, exprKind.value.name, scope);
      case 'selectExpr':
        return this.qualifiedName(expr, scope) ?? compileSelect(this, expr, exprKind.value, scope);
      case 'callExpr':
        return compileCall(this, expr, exprKind.value, scope);
      case 'listExpr':
        return compileList(this, expr, exprKind.value, scope);
      case 'structExpr':
        return compileMap(this, expr, exprKind.value, scope);
      case 'comprehensionExpr':
        return compileLoop(this, exprKind.value, scope);
      default:
        return this.fail(expr, 'unsupported expression');
    }
  }

  qualifiedName(expr: Expr, scope: Scope | undefined): Part | undefined {
    if (!this.#hasQualified) return undefined;
    const name = spelledName(expr);
    if (name === undefined || boundBy(name.slice(0, name.indexOf('.')), scope) !== undefined)
      return undefined;
    return this.#declared(name);
  }

  fail(expr: Expr | undefined, text: string): Part {
    this.issues.push({ offset: this.#hidden.offsetOf(expr), text });
    return nothing;
  }

  takeSlot(): number {
    return this.#slots++;
  }

  isOptional(expr: Expr): boolean {
    return this.#hidden.isOptional(expr);
  }

  quotedName(name: string): string | undefined {
    return this.#hidden.quotedName(name);
  }

  optionalEntries(expr: Expr, starts: readonly (Expr | undefined)[]): ReadonlySet<number> {
    return this.#hidden.entriesOf(expr, starts);
  }

  isKnown(name: string, scope: Scope | undefined): boolean {
    return boundBy(name, scope) !== undefined || this.#variables.has(name);
  }

  pattern(text: string): Pattern | Failure {
    try {
      return compileText(text, this.#patternMeter);
    } catch (error) {
      if (error instanceof CostExceeded) return new Failure('patterns of the expression are too large');
      throw error;
    }
  }

  #name(expr: Expr, given: string, scope: Scope | undefined): Part {
    const name = given.replace(/^\./, '');
    const bound = boundBy(name, scope);
    if (bound !== undefined) {
      const { slot, type, size } = bound;
      return { type, size, cost: 1, run: localRun(slot) };
    }
    const declared = this.#declared(name) ?? compileTypeName(name);
    return declared ?? this.fail(expr, `undeclared reference to '${name}' (in container '')`);
  }

  #declared(name: string): Part | undefined {
    const type = this.#variables.get(name);
    return type && { type, size: sizeOf(type), cost: 1, run: variableRun(name) };
  }
}

function boundBy(name: string, scope: Scope | undefined): Scope | undefined {
  for (let each = scope; each !== undefined; each = each.outer) if (each.name === name) return each;
  return undefined;
}

/** A chain of fields as it is written; undefined where it does not begin with a name, or only asks whether a field is there. */
function spelledName({ exprKind }: Expr): string | undefined {
  if (exprKind.case === 'identExpr') return exprKind.value.name.replace(/^\./, '');
  if (exprKind.case !== 'selectExpr' || exprKind.value.testOnly) return undefined;
  const { operand, field } = exprKind.value;
  const before = operand && spelledName(operand);
  return before === undefined ? undefined : `${before}.${field}`;
}

const wrong = new Failure('wrong expression');
/** Stands for what is wrong; it never runs. */
const nothing: Part = { type: dyn, run: () => wrong, cost: 0, size: 1 };
