/**
 * The JSONPath dialect of release 1.20: templates of text with paths in braces, and bare paths. Parsing and evaluation; printing
 * is left to those who ask. No object is ever changed. Source: client-go, `util/jsonpath`.
 */
export { type EvaluateOptions, evaluateTemplate, type Found } from './evaluate.ts';
export { parseRelaxedPath, parseTemplate } from './parse.ts';
export { JsonPathError, type TemplatePart } from './syntax.ts';
