/**
 * Templates of Go's `text/template` over JSON, with the functions that the client of release 1.20 adds: parsing and execution. They
 * give the texts and errors of that package, since scripts read both. Source: https://pkg.go.dev/text/template
 */
import { type ExecuteOptions, executeTemplate } from './execute.ts';
import { templateFunctions } from './functions.ts';
import { parseTemplate } from './parse.ts';
import type { Value } from './values.ts';

export { ExecuteError } from './execute.ts';
export { TemplateError } from './nodes.ts';
export type { Value } from './values.ts';

/** A template ready for use. */
export interface GoTemplate {
  /** The text for some data. @throws ExecuteError */
  execute(data: Value): string;
}

/** Compiles a template. @throws TemplateError */
export function compileGoTemplate(
  source: string,
  options: Pick<ExecuteOptions, 'allowsMissing'>,
): GoTemplate {
  const parsed = parseTemplate(source, new Set(templateFunctions.keys()));
  return { execute: (data) => executeTemplate(parsed, data, { ...options, functions: templateFunctions }) };
}
