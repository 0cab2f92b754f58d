import { isJsonObject, isRawNumber } from '../../../base/index.ts';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../errors/index.ts';
import { shownValue } from './go-text.ts';

/** Errors after which nobody reads on. */
const maxErrors = 1000;
/**
 * Steps of one validation, each some tens of nanoseconds: far more than real objects and schemas need of each other, and
 * few enough that no request holds up the others.
 */
const maxSteps = 400_000;
/** What telling of an error costs, beside the length of its texts. */
const [stepsOfFinding, lettersPerStep] = [20, 8];

/** What one validation may still cost, shared by all its parts. */
export class Effort {
  #left = maxSteps;

  /** False once the validation has cost too much; it ends then, and the object is refused. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }

  /** The same for a whole value that is about to be turned into text. */
  spendOn(value: unknown): boolean {
    if (typeof value === 'string') return this.spend(value.length / lettersPerStep);
    if (!this.spend(stepsOfNode)) return false;
    if (isRawNumber(value)) return this.spend(value.rawJSON.length / lettersPerStep);
    if (Array.isArray(value)) return value.every((item) => this.spendOn(item));
    if (!isJsonObject(value)) return true;
    for (const name in value) {
      if (!this.spend(name.length / lettersPerStep) || !this.spendOn(value[name])) return false;
    }
    return true;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}

const stepsOfNode = 4;

/** One thing that is wrong, not yet put into the words of an error: alternatives drop most of what they find. */
interface Finding {
  readonly kind: 'required' | 'unsupported' | 'invalid' | 'composite';
  readonly path: string;
  readonly value: unknown;
  readonly text: string;
  readonly supported?: () => readonly string[];
}

/**
 * What the validation of one value by one schema found, and how many checks were passed: of several alternatives that all
 * fail, the one with the most is told of. Each text is told once.
 */
export class Findings {
  readonly effort: Effort;
  matches = 0;
  #found: Map<string, Finding> | undefined;

  constructor(effort: Effort) {
    this.effort = effort;
  }

  get isValid(): boolean {
    return this.#found === undefined;
  }

  /** A value that does not fit; `text` goes on from its path. */
  invalid(path: string, value: unknown, text: string): void {
    if (!this.#isFull) this.#add({ kind: 'invalid', path, value, text: `${path} in body ${text}` });
  }

  /** An error whose text is all that is said, at the place of the value. */
  invalidVerbatim(path: string, value: unknown, text: string): void {
    this.#add({ kind: 'invalid', path, value, text });
  }

  required(path: string): void {
    this.#add({ kind: 'required', path, value: '', text: `${path} in body is required` });
  }

  /** `supported` is asked for when the error is told. */
  unsupported(path: string, value: unknown, supported: () => readonly string[]): void {
    this.#add({ kind: 'unsupported', path, value, text: `${path} in body should be one of`, supported });
  }

  /** An error of a combination of schemas, which release 1.20 tells without a place. */
  composite(text: string): void {
    this.#add({ kind: 'composite', path: '', value: '', text });
  }

  /** Takes over what an alternative found and passed. */
  merge(other: Findings): void {
    for (const finding of other.#found?.values() ?? []) this.#add(finding);
    this.matches += other.matches;
  }

  /** The errors in order. `base` is the path of the validated value, if it has one. */
  errors(base: FieldPath | undefined): FieldError[] {
    if (this.effort.isSpent) {
      // What was found until then may be wrong: alternatives were not looked at.
      const detail = 'the schema takes too long to check this object: both are too large for each other';
      return [invalidValue(base ?? nowhere, '', detail)];
    }
    return Array.from(this.#found?.values() ?? [], (finding) => fieldError(finding, base));
  }

  get #isFull(): boolean {
    return this.#found !== undefined && this.#found.size >= maxErrors;
  }

  #add(finding: Finding): void {
    this.#found ??= new Map();
    const { path, value, text } = finding;
    const letters = path.length + text.length + (typeof value === 'string' ? value.length : 0);
    if (!this.effort.spend(stepsOfFinding + letters / lettersPerStep)) return;
    if (!this.#isFull && !this.#found.has(finding.text)) this.#found.set(finding.text, finding);
  }
}

/** How release 1.20 prints a path that there is not. */
const nowhere = fieldPath('<nil>');

function fieldError(
  { kind, path, value, text, supported }: Finding,
  base: FieldPath | undefined,
): FieldError {
  if (kind === 'composite') return invalidValue(base ?? nowhere, '', text);
  const name = path.startsWith('.') ? path.slice(1) : path;
  const at = name === '' ? (base ?? nowhere) : base === undefined ? fieldPath(name) : base.child(name);
  if (kind === 'required') return required(at);
  if (kind === 'unsupported') return notSupported(at, shownValue(value), supported?.() ?? []);
  return invalidValue(at, shownValue(value), text);
}
