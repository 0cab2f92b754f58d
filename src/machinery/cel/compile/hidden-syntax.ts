import type { Expr, ParsedText } from '../library.ts';
import type { ScannedText } from '../scan-text.ts';

/** What was written of an expression that the parser was not told of: marks of optional parts, quoted names. */
export class HiddenSyntax {
  readonly #positions: ParsedText['positions'];
  readonly #places: ReadonlySet<number>;
  readonly #quoted: ReadonlyMap<string, string>;
  /** Marks of entries that no list or map has taken yet. */
  readonly #left: Set<number>;
  /** What was found, for a part that is compiled again. */
  readonly #found = new Map<Expr, ReadonlySet<number>>();

  constructor({ positions }: ParsedText, { places, entries, quoted }: ScannedText) {
    this.#positions = positions;
    this.#places = places;
    this.#quoted = quoted;
    this.#left = new Set(entries);
  }

  /** A place in the text, in UTF-16 units. */
  offsetOf(expr: Expr | undefined): number {
    return expr === undefined ? 0 : (this.#positions[String(expr.id)] ?? 0);
  }

  /** The name that was quoted where the parser found this one; undefined for one that was not. */
  quotedName(name: string): string | undefined {
    return this.#quoted.get(name);
  }

  /** Whether a field or an item is optional. */
  isOptional(expr: Expr): boolean {
    return this.#places.has(this.offsetOf(expr));
  }

  /**
   * Indexes of the optional entries of a list or a map; `starts` are their values or keys, which were compiled, so that marks within
   * them are taken. Of what is left, an entry has the marks between the one before and itself.
   */
  entriesOf(expr: Expr, starts: readonly (Expr | undefined)[]): ReadonlySet<number> {
    const known = this.#found.get(expr);
    if (known !== undefined) return known;
    const optional = new Set<number>();
    this.#found.set(expr, optional);
    let after = this.offsetOf(expr);
    for (const [index, start] of starts.entries()) {
      if (this.#left.size === 0) break;
      const first = this.#firstOffset(start);
      for (const mark of this.#left) {
        if (mark <= after || mark >= first) continue;
        this.#left.delete(mark);
        optional.add(index);
      }
      after = first;
    }
    return optional;
  }

  /** A mark where no entry can be. */
  get strayMark(): number | undefined {
    return this.#left.values().next().value;
  }

  /** Where the first letter of a part stands: the place of an operator is its own. */
  #firstOffset(expr: Expr | undefined): number {
    if (expr === undefined) return 0;
    const own = this.offsetOf(expr);
    const first = leftmost(expr);
    return first === undefined ? own : Math.min(own, this.#firstOffset(first));
  }
}

/** What stands leftmost within a part; undefined where the part itself does. */
function leftmost({ exprKind }: Expr): Expr | undefined {
  switch (exprKind.case) {
    case 'selectExpr':
      return exprKind.value.operand;
    case 'callExpr':
      return exprKind.value.target ?? exprKind.value.args[0];
    case 'comprehensionExpr':
      return exprKind.value.iterRange;
    default:
      return undefined;
  }
}
