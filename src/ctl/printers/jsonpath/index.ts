/**
 * The JSONPath templates of the client of release 1.20: text with paths in braces. Parsing, evaluation and printing; no
 * object is ever changed.
 */
import { formatNumber, isJsonNumber } from '../../../machinery/go-values/index.ts';
import {
  type EvaluateOptions,
  evaluateTemplate,
  JsonPathError,
  parseRelaxedPath,
  parseTemplate,
  type TemplateNode,
} from '../../../machinery/jsonpath/index.ts';
import { formatCompactJson, formatJson } from '../json.ts';

export { JsonPathError };

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
  const path = explain(`error parsing jsonpath ${template}, `, () =>
    toJsonPath(parseTemplate(template), options),
  );
  const executing = `error executing jsonpath ${JSON.stringify(template)}: Error executing template: `;
  return {
    find: (root) => explain(executing, () => path.find(root)),
    format: (root) => explain(executing, () => path.format(root)),
    formatAsJson: (root) => explain(executing, () => path.formatAsJson(root)),
  };
}

/** Says which template failed. */
function explain<T>(prefix: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new JsonPathError(prefix + error.message, { cause: error });
  }
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
  if (isJsonNumber(value)) return formatNumber(value);
  return typeof value === 'object' ? formatCompactJson(value) : String(value);
}
