import { isJsonNumber, toDouble } from '../../go-values/index.ts';
import type { Effort, Findings } from './findings.ts';
import { compilePattern, type Pattern, type PatternFault } from './patterns.ts';
import { type SchemaNode, textAt } from './schema-names.ts';

/** What a schema says of texts. */
export interface TextRules {
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: string;
  /** The pattern, compiled once a text is long enough to need it. */
  readonly compiled: () => Pattern | PatternFault;
}

/** A whole number that a schema has. */
export function limitAt(schema: SchemaNode, field: string): number | undefined {
  const value = schema[field];
  return isJsonNumber(value) ? toDouble(value) : undefined;
}

/** The rules of a schema; undefined where it has none. */
export function textRules(schema: SchemaNode): TextRules | undefined {
  const [maxLength, minLength] = [limitAt(schema, 'maxLength'), limitAt(schema, 'minLength')];
  const pattern = textAt(schema, 'pattern');
  if (maxLength === undefined && minLength === undefined && pattern === '') return undefined;
  let compiled: Pattern | PatternFault | undefined;
  return {
    maxLength,
    minLength,
    pattern,
    compiled() {
      compiled ??= compilePattern(pattern);
      return compiled;
    },
  };
}

/** Checks a text; of several things that are wrong the first is told. Lengths are in characters. */
export function checkText(rules: TextRules, text: string, path: string, findings: Findings): void {
  const { maxLength, minLength, pattern } = rules;
  const { effort } = findings;
  if (maxLength !== undefined && text.length > maxLength && lengthOf(text, maxLength, effort) > maxLength) {
    findings.invalid(path, text, `should be at most ${maxLength} chars long`);
  } else if (minLength !== undefined && lengthOf(text, minLength, effort) < minLength) {
    findings.invalid(path, text, `should be at least ${minLength} chars long`);
  } else if (pattern !== '') checkPattern(rules, text, path, findings);
}

function checkPattern(rules: TextRules, text: string, path: string, findings: Findings): void {
  const compiled = rules.compiled();
  if ('fault' in compiled) {
    findings.invalid(
      path,
      text,
      `should match '${rules.pattern}, but pattern is invalid: ${compiled.fault}'`,
    );
  } else if (!compiled.isIn(text, findings.effort)) {
    findings.invalid(path, text, `should match '${rules.pattern}'`);
  }
}

const lettersPerStep = 16;

/**
 * Characters of a text, of which those beyond the basic plane take two places: looked for only where it matters for the
 * limit.
 */
function lengthOf(text: string, limit: number, effort: Effort): number {
  let length = text.length;
  if (length < limit || length > 2 * limit || !effort.spend(length / lettersPerStep)) return length;
  for (let at = 0; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) length--;
  }
  return length;
}
