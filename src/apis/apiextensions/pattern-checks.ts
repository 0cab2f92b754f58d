import { type FieldError, type FieldPath, invalidValue } from '../../machinery/errors/index.ts';
import { compilePattern, patternSize } from '../../machinery/schema/structural/index.ts';

/** Instructions of all patterns of a schema together; compiling so many takes tenths of a second. */
const maxSize = 200_000;

/** Checks the patterns of one schema, each text once, and not more of them than anybody could wait for. */
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
    if (this.#size > maxSize) return 'the patterns of the schema are too large together';
    const compiled = compilePattern(pattern);
    const fault = 'fault' in compiled ? compiled.fault : undefined;
    if (fault === undefined) this.#size += patternSize(pattern);
    this.#faults.set(pattern, fault);
    return fault;
  }
}
