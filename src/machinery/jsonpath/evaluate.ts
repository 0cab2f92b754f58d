import { addAll } from '../../base/index.ts';
import { applyStep } from './steps.ts';
import { JsonPathError, type Step, type TemplatePart } from './syntax.ts';

/** How missing fields are taken. */
export interface EvaluateOptions {
  /** Missing fields yield nothing instead of an error. */
  readonly allowsMissing: boolean;
  /** How many values the steps of the template may find in all; any number when it is not said. */
  readonly maxValues?: number;
}

/** What a part of a template gives: a text, or the values that an action found. Ranges are unrolled. */
export type Found =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'values'; readonly values: readonly unknown[] };

/** Ranges nest no deeper than this. */
const maxDepth = 64;

/** Evaluates a template against an object. @throws JsonPathError */
export function evaluateTemplate(
  parts: readonly TemplatePart[],
  root: unknown,
  options: EvaluateOptions,
): Found[] {
  return new Run(parts, options).findFrom(0, root);
}

/** One use of a template. */
class Run {
  readonly #parts: readonly TemplatePart[];
  readonly #options: EvaluateOptions;
  /** How many ranges are being gone through. */
  #depth = 0;
  /** Where the last `end` stands. */
  #end = -1;
  #found = 0;

  constructor(parts: readonly TemplatePart[], options: EvaluateOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** What the parts from one on find, up to the end of the range that they are in, or of the template. */
  findFrom(first: number, current: unknown): Found[] {
    const found: Found[] = [];
    for (let at = first; at < this.#parts.length; at++) {
      const part = this.#parts[at];
      if (part?.kind !== 'action') {
        if (part !== undefined) found.push(part);
        continue;
      }
      const values = this.#applySteps(part.steps, current);
      if (part.steps.some((step) => isWord(step, 'end'))) {
        this.#end = at;
        return found;
      }
      if (part.steps.some((step) => isWord(step, 'range'))) {
        addAll(found, this.#findInRange(at + 1, values));
        // A range without an end goes on behind itself.
        if (this.#end > at) at = this.#end;
      } else found.push({ kind: 'values', values });
    }
    return found;
  }

  #findInRange(body: number, values: readonly unknown[]): Found[] {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new JsonPathError('ranges are nested too deep');
    const found = values.flatMap((value) => this.findFrom(body, value));
    // Without values the body is gone through all the same, to find its end, and mistakes in it.
    if (values.length === 0) this.findFrom(body, undefined);
    this.#depth -= 1;
    return found;
  }

  #applySteps(steps: readonly Step[], current: unknown): readonly unknown[] {
    let values: readonly unknown[] = [current];
    for (const step of steps) {
      if (step.kind === 'word') values = this.#applyWord(step.word, values);
      else values = applyStep(step, values, this.#options);
      // A step counts by itself, too: ranges may go on without values.
      this.#found += values.length + 1;
      if (this.#found > (this.#options.maxValues ?? Number.POSITIVE_INFINITY)) {
        throw new JsonPathError('the template finds too many values');
      }
    }
    return values;
  }

  #applyWord(word: string, values: readonly unknown[]): readonly unknown[] {
    if (word === 'range') return values;
    if (word !== 'end') throw new JsonPathError(`unrecognized identifier ${word}`);
    if (this.#depth === 0) throw new JsonPathError('not in range, nothing to end');
    return [];
  }
}

const isWord = (step: Step, word: string): boolean => step.kind === 'word' && step.word === word;
