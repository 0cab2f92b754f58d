import { quoteGo } from '../../errors/index.ts';
import { Findings } from './findings.ts';

/** A schema that values are checked by. */
export interface Checker {
  check(value: unknown, path: string, findings: Findings): void;
}

/** The schemas of which a value must fit any, one, all, and not one. */
export interface Combined {
  readonly anyOf: readonly Checker[];
  readonly oneOf: readonly Checker[];
  readonly allOf: readonly Checker[];
  readonly not: Checker | undefined;
}

/** Checks a value by combined schemas. Of alternatives that all fail, the one that most of the value fits is told of. */
export function checkCombined(combined: Combined, value: unknown, path: string, findings: Findings): void {
  const { anyOf, oneOf, allOf, not } = combined;
  if (anyOf.length > 0) checkAny(anyOf, value, path, findings);
  if (oneOf.length > 0) checkOne(oneOf, value, path, findings);
  if (allOf.length > 0) checkAll(allOf, value, path, findings);
  if (not !== undefined && findingsOf(not, value, path, findings).isValid) {
    findings.composite(`${quoteGo(path)} must not validate the schema (not)`);
  }
}

/** An alternative costs as much as so many other steps: what it finds is kept apart. */
const stepsOfAlternative = 8;

function findingsOf(schema: Checker, value: unknown, path: string, { effort }: Findings): Findings {
  const own = new Findings(effort);
  if (effort.spend(stepsOfAlternative)) schema.check(value, path, own);
  return own;
}

function checkAny(schemas: readonly Checker[], value: unknown, path: string, findings: Findings): void {
  let best: Findings | undefined;
  for (const schema of schemas) {
    const own = findingsOf(schema, value, path, findings);
    if (own.isValid) {
      findings.merge(own);
      return;
    }
    if (best === undefined || own.matches > best.matches) best = own;
  }
  findings.composite(`${quoteGo(path)} must validate at least one schema (anyOf)`);
  if (best !== undefined) findings.merge(best);
}

function checkOne(schemas: readonly Checker[], value: unknown, path: string, findings: Findings): void {
  let best: Findings | undefined;
  let valid: Findings | undefined;
  let count = 0;
  for (const schema of schemas) {
    const own = findingsOf(schema, value, path, findings);
    if (own.isValid) {
      count++;
      valid ??= own;
    } else if (best === undefined || own.matches > best.matches) best = own;
  }
  if (count === 1 && valid !== undefined) {
    findings.merge(valid);
    return;
  }
  const found = count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`;
  findings.composite(`${quoteGo(path)} must validate one and only one schema (oneOf). ${found}`);
  if (count === 0 && best !== undefined) findings.merge(best);
}

function checkAll(schemas: readonly Checker[], value: unknown, path: string, findings: Findings): void {
  let count = 0;
  for (const schema of schemas) {
    const own = findingsOf(schema, value, path, findings);
    if (own.isValid) count++;
    findings.merge(own);
  }
  if (count === schemas.length) return;
  const none = count === 0 ? '. None validated' : '';
  findings.composite(`${quoteGo(path)} must validate all the schemas (allOf)${none}`);
}
