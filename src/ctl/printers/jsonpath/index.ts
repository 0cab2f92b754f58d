/**
 * The JSONPath templates of the client of release 1.20: text with paths in braces. Parsing, evaluation and printing; no
 * object is ever changed.
 */
import { quoteGo } from '../../../machinery/errors/index.ts';
import { isJsonNumber, showSyntax, showValue } from '../../../machinery/go-values/index.ts';
import {
  type EvaluateOptions,
  evaluateTemplate,
  JsonPathError,
  parseRelaxedPath,
  parseTemplate,
  type TemplatePart,
} from '../../../machinery/jsonpath/index.ts';
import { formatCompactJson, formatJson } from '../json.ts';

export { JsonPathError };

/** A template ready for use. */
export interface JsonPath {
  /** The template's text for one object. @throws JsonPathError */
  format(root: unknown): string;
  /** All values that the template's paths find. @throws JsonPathError */
  find(root: unknown): readonly unknown[];
  /** A JSON list of each text and of what each path finds. @throws JsonPathError */
  formatAsJson(root: unknown): string;
}

/** Compiles a template (`{.metadata.name}{"\n"}`). @throws JsonPathError */
export function compileTemplate(template: string, options: EvaluateOptions): JsonPath {
  const path = toJsonPath(parse(template), options);
  const format = (write: (root: unknown) => string) => (root: unknown) => {
    try {
      return write(root);
    } catch (error) {
      if (!(error instanceof JsonPathError)) throw error;
      throw new JsonPathError(explainFailure(template, root, error), { cause: error });
    }
  };
  return { find: path.find, format: format(path.format), formatAsJson: format(path.formatAsJson) };
}

function parse(template: string): readonly TemplatePart[] {
  try {
    return parseTemplate(template);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new JsonPathError(`error parsing jsonpath ${template}, ${error.message}\n`, { cause: error });
  }
}

function explainFailure(template: string, root: unknown, { message }: JsonPathError): string {
  return `error executing jsonpath ${quoteGo(template)}: Error executing template: ${message}. \
Printing more information for debugging the template:
\ttemplate was:\n\t\t${template}
\tobject given to jsonpath engine was:\n\t\t${showSyntax(root)}\n\n\n`;
}

/** Compiles a bare path as columns and sort keys have it (`.metadata.name`). @throws JsonPathError */
export function compilePath(path: string): JsonPath {
  return toJsonPath(parseRelaxedPath(path), { allowsMissing: true });
}

function toJsonPath(parts: readonly TemplatePart[], options: EvaluateOptions): JsonPath {
  const findAll = (root: unknown) =>
    evaluateTemplate(parts, root, options).map((found) =>
      found.kind === 'text' ? [found.text] : found.values,
    );
  return {
    find: (root) => findAll(root).flat(),
    format: (root) =>
      findAll(root)
        .map((values) => values.map(formatValue).join(' '))
        .join(''),
    formatAsJson: (root) =>
      findAll(root)
        .map((values) => formatJson(values))
        .join(''),
  };
}

/** A value as templates show it: text as it is, structures as JSON. */
function formatValue(value: unknown): string {
  if (value === undefined) return '<no value>';
  return value === null || typeof value !== 'object' || isJsonNumber(value)
    ? showValue(value)
    : formatCompactJson(value);
}
