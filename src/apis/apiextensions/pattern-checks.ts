import { type FieldError, type FieldPath, invalidValue } from '../../machinery/errors/index.ts';
import { compilePattern, patternSize } from '../../machinery/schema/structural/index.ts';

/** Instructions of all patterns of a definition together: so many compile without holding up other requests. */
const maxSize = 12_000;
/** What any of them costs, as instructions. */
const sizeOfAny = 10;

/** Checks the patterns of one definition, each text once, and not more of them than others could wait for. */
export class PatternChecks {
  #size = 0;
  readonly #faults = new Map<string, string | undefined>();

  /** Adds the error of a pattern that Go's parser does not read. No text is no pattern. */
  check(errors: FieldError[], pattern: string, path: FieldPath): void {
    const fault = pattern === '' ? undefined : this.#faultOf(pattern);
    if (fault === undefined) return;
    errors.push(invalidValue(path, pattern, `must be a valid regular expression, but isn't: ${fault}`));
  }

  #faultOf(pattern: string): string | undefined {
    if (this.#faults.has(pattern)) return this.#faults.get(pattern);
    if (this.#size > maxSize) return 'the patterns of the definition are too large together';
    const compiled = compilePattern(pattern);
    const fault = 'fault' in compiled ? compiled.fault : undefined;
    if (fault === undefined) this.#size += sizeOfAny + patternSize(pattern);
    this.#faults.set(pattern, fault);
    return fault;
  }
}
