/**
 * The JSONPath templates of the reference client: text with paths in braces. Parsing, evaluation and printing; no
 * object is ever changed.
 */
import { formatCompactJson, formatJson } from '../json.ts';
import { type EvaluateOptions, evaluateTemplate } from './evaluate.ts';
import { parseRelaxedPath, parseTemplate } from './parse.ts';
import type { TemplateNode } from './syntax.ts';

export { JsonPathError } from './syntax.ts';

/** A template ready for use. */
export interface JsonPath {
  /** The template's text for one object. @throws JsonPathError */
  format(root: unknown): string;
  /** All values that the template's paths find. @throws JsonPathError */
  find(root: unknown): readonly unknown[];
  /** The values as a JSON list. @throws JsonPathError */
  formatAsJson(root: unknown): string;
}

/** Compiles a template (`{.metadata.name}{"\n"}`). @throws JsonPathError */
export function compileTemplate(template: string, options: EvaluateOptions): JsonPath {
  return toJsonPath(parseTemplate(template), options);
}

/** Compiles a bare path as columns and sort keys have it (`.metadata.name`). @throws JsonPathError */
export function compilePath(path: string): JsonPath {
  return toJsonPath(parseRelaxedPath(path), { allowsMissing: true });
}

function toJsonPath(nodes: readonly TemplateNode[], options: EvaluateOptions): JsonPath {
  const find = (root: unknown) =>
    evaluateTemplate(nodes, root, options).flatMap((found) => (found.kind === 'values' ? found.values : []));
  return {
    find,
    format: (root) =>
      evaluateTemplate(nodes, root, options)
        .map((found) => (found.kind === 'text' ? found.text : found.values.map(formatValue).join(' ')))
        .join(''),
    formatAsJson: (root) => formatJson(find(root)),
  };
}

/** A value as templates show it: text as it is, structures as JSON. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'object' ? formatCompactJson(value) : String(value);
}
