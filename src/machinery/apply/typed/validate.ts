import { isJsonObject, isRawNumber } from '../../../base/index.ts';
import { showSyntax, showValue } from '../../go-values/index.ts';
import {
  fieldElement,
  formatPathElement,
  indexElement,
  type PathElement,
} from '../fieldpath/path-element.ts';
import { itemElement, TypedError } from './list-items.ts';
import { type ListView, type MapView, memberView, resolveView, type ScalarView, type View } from './view.ts';

/** Errors after which nobody reads on. */
const maxErrors = 100;

/**
 * Checks that a value fits its type: known fields, kinds of value, keys of list items.
 *
 * @throws TypedError with one line for each thing that is wrong, in structured-merge-diff's words.
 */
export function validateTyped(view: View, value: unknown): void {
  const errors: string[] = [];
  walk(view, value, [], errors);
  if (errors.length === 1) throw new TypedError(errors[0]);
  if (errors.length > 1) throw new TypedError(['errors:', ...errors.map((text) => `  ${text}`)].join('\n'));
}

function report(errors: string[], path: readonly PathElement[], text: string): void {
  if (errors.length >= maxErrors) return;
  errors.push(path.length === 0 ? text : `${path.map(formatPathElement).join('')}: ${text}`);
}

function walk(declared: View, value: unknown, path: PathElement[], errors: string[]): void {
  if (value === null || value === undefined) return;
  const view = resolveView(declared, value);
  switch (view.kind) {
    case 'scalar': {
      const text = scalarError(view, value);
      if (text !== undefined) report(errors, path, text);
      return;
    }
    case 'list':
      if (Array.isArray(value)) walkList(view, value, path, errors);
      else report(errors, path, `expected list, got ${show(value)}`);
      return;
    case 'map':
      if (isJsonObject(value)) walkMap(view, value, path, errors);
      else report(errors, path, `expected map, got ${show(value)}`);
  }
}

/** How structured-merge-diff prints a value that it did not expect. */
const show = (value: unknown): string => `&{${showValue(value)}}`;

/** The same where a text was expected: with the name of the type that holds the value. */
const showWithType = (value: unknown): string => `&value.valueUnstructured{Value:${showSyntax(value)}}`;

function scalarError({ scalar }: ScalarView, value: unknown): string | undefined {
  switch (scalar) {
    case 'numeric':
      if (typeof value === 'number' || isRawNumber(value)) return undefined;
      return 'expected numeric (int or float), got *value.valueUnstructured';
    case 'string':
      return typeof value === 'string' ? undefined : `expected string, got ${showWithType(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${show(value)}`;
    default:
      return undefined;
  }
}

function walkList(view: ListView, list: readonly unknown[], path: PathElement[], errors: string[]): void {
  const seen = new Set<PathElement>();
  for (let index = 0; index < list.length; index++) {
    let element = indexElement(index);
    if (view.relation !== 'atomic') {
      try {
        element = itemElement(view, list[index]);
      } catch (error) {
        if (!(error instanceof TypedError)) throw error;
        report(errors, path, `element ${index}: ${error.message}`);
        return;
      }
      if (seen.has(element)) {
        report(errors, path, `duplicate entries for key ${formatPathElement(element)}`);
      }
      seen.add(element);
    }
    path.push(element);
    walk(view.element, list[index], path, errors);
    path.pop();
  }
}

function walkMap(
  view: MapView,
  object: Record<string, unknown>,
  path: PathElement[],
  errors: string[],
): void {
  const fields = view.fields();
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const member = memberView(view, name);
    path.push(fields.get(name)?.element ?? fieldElement(name));
    if (member === undefined) report(errors, path, 'field not declared in schema');
    else walk(member, value, path, errors);
    path.pop();
  }
}
