import { Compiler } from './compile/compiler.ts';
import { HiddenSyntax } from './compile/hidden-syntax.ts';
import type { Issue, Part } from './compile/part.ts';
import { type ParsedText, parseText } from './library.ts';
import type { Meter } from './meter.ts';
import { type ScannedText, scanText } from './scan-text.ts';
import { type CelType, dyn, typeText } from './types.ts';
import type { Failure, Value } from './values.ts';

/** What an expression stands in. */
export interface Environment {
  /** Names that are declared, with their types. */
  readonly variables: ReadonlyMap<string, CelType>;
}

/** An expression that was parsed and checked. */
export interface Expression {
  readonly text: string;
  readonly type: CelType;
  /** Steps that it takes at most, as far as schemas say how large values are. */
  readonly estimatedCost: number;
  /**
   * Runs it. `variable` answers for declared names.
   *
   * @throws CostExceeded when it takes more steps than the meter allows.
   */
  evaluate(variable: (name: string) => Value | Failure, meter: Meter): Value | Failure;
}

/** Why a text is no expression, in cel-go's form: with line and column, and the line itself. */
export interface ExpressionFault {
  readonly fault: string;
}

/** Letters of an expression. Policies of thousands of letters are several expressions. */
export const maxExpressionLength = 4096;
/** Names, literals, operators and brackets of an expression: parsing and compiling take a few microseconds for each. */
const maxTokens = 1200;
/** Brackets within brackets. */
const maxDepth = 32;

/** A text that was parsed: it can be compiled for several environments. */
export interface ReadExpression {
  readonly text: string;
  readonly scanned: ScannedText;
  readonly parsed: ParsedText;
}

/** Parses a text, for which there are no types yet. */
export function readExpression(text: string): ReadExpression | ExpressionFault {
  if (text.length > maxExpressionLength) {
    return {
      fault: `expression code point size exceeds limit: size: ${text.length}, limit ${maxExpressionLength}`,
    };
  }
  const scanned = scanText(text);
  if (scanned.tokens > maxTokens) {
    return { fault: `expression token count exceeds limit: count: ${scanned.tokens}, limit ${maxTokens}` };
  }
  if (scanned.depth > maxDepth) return { fault: `expression recursion limit exceeded: ${maxDepth}` };
  const parsed = parseText(scanned.text);
  if ('fault' in parsed) {
    return { fault: showIssues(text, [{ offset: parsed.offset, text: `Syntax error: ${parsed.fault}` }]) };
  }
  return { text, scanned, parsed };
}

/**
 * Compiles a text, or what was read of it, whose value must be of one of the types of `wanted`: also one that may be anything is refused then.
 *
 * Source: the language definition of CEL (cel-spec, `langdef.md`), and cel-go for messages.
 */
export function compileExpression(
  given: string | ReadExpression | ExpressionFault,
  { variables }: Environment,
  wanted: readonly CelType[] = [],
): Expression | ExpressionFault {
  const read = typeof given === 'string' ? readExpression(given) : given;
  if ('fault' in read) return read;
  const { text, scanned, parsed } = read;
  const compiler = new Compiler(parsed, variables, new HiddenSyntax(parsed, scanned));
  const part = compiler.compileAll();
  if (compiler.issues.length > 0) return { fault: showIssues(text, compiler.issues) };
  if (wanted.length > 0 && !wanted.some((type) => typeText(type) === typeText(part.type))) {
    return { fault: `must evaluate to ${wanted.map(typeText).join(' or ')}` };
  }
  return expressionOf(text, part);
}

/** All kinds of syntax, so often that the runtime has seen enough of them to be quick. */
const samples = `[1, 2].filter(i, i > 0).map(i, i + 1).all(i, i in {1: 'a'} || !(i == 2) && size('a') <= 1 ? true : has(x.y.z))`;

/**
 * Loads the library for expressions and tries it, which takes a tenth of a second: afterwards the first expression takes no longer than
 * others. For the start of servers that will need it.
 */
export function prepareExpressions(): void {
  const variables = new Map([['x', dyn]]);
  for (let round = 0; round < 20; round++) {
    const text = Array.from({ length: 1 + (round % 8) }, () => `(${samples})`).join(' && ');
    compileExpression(text, { variables });
  }
}

function expressionOf(text: string, { type, cost, run }: Part): Expression {
  return {
    text,
    type,
    estimatedCost: cost,
    evaluate(variable, meter) {
      meter.begin();
      try {
        return run({ variable, locals: [], gathered: [], meter });
      } finally {
        meter.end();
      }
    },
  };
}

/** Issues as cel-go shows them; columns are counted in letters. */
function showIssues(text: string, issues: readonly Issue[]): string {
  return issues
    .slice(0, 10)
    .map(({ offset, text: problem }) => {
      const before = text.slice(0, offset);
      const start = before.lastIndexOf('\n') + 1;
      const line = before.split('\n').length;
      const column = [...before.slice(start)].length;
      const end = text.indexOf('\n', start);
      const shown = text.slice(start, end < 0 ? undefined : end).replaceAll('\t', ' ');
      return `ERROR: <input>:${line}:${column + 1}: ${problem}\n | ${shown}\n | ${'.'.repeat(column)}^`;
    })
    .join('\n');
}
