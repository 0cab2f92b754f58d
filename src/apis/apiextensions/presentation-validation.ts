import { type FieldError, type FieldPath, invalidValue, required } from '../../machinery/errors/index.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
} from '../types/apiextensions-v1beta1.ts';

const types: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const formats: readonly string[] = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
];

/** Adds the errors of the columns that clients show. */
export function validateColumns(
  errors: FieldError[],
  columns: readonly CustomResourceColumnDefinition[],
  listPath: FieldPath,
): void {
  for (const [at, { name, type, format = '', JSONPath: jsonPath }] of columns.entries()) {
    const path = listPath.index(at);
    if (name === '') errors.push(required(path.child('name')));
    if (type === '') {
      errors.push(required(path.child('type'), `must be one of ${types.join(',')}`));
    } else if (!types.includes(type)) {
      errors.push(invalidValue(path.child('type'), type, `must be one of ${types.join(',')}`));
    }
    if (format !== '' && !formats.includes(format)) {
      errors.push(invalidValue(path.child('format'), format, `must be one of ${formats.join(',')}`));
    }
    if (jsonPath === '') errors.push(required(path.child('JSONPath')));
    else validateSimplePath(errors, jsonPath, path.child('JSONPath'));
  }
}

/** Adds the errors of the `status` and `scale` subresources. */
export function validateSubresources(
  errors: FieldError[],
  subresources: CustomResourceSubresources | undefined,
  path: FieldPath,
): void {
  const scale = subresources?.scale;
  if (scale === undefined) return;
  const rules = [
    ['specReplicasPath', ['.spec.'], 'should be a json path under .spec'],
    ['statusReplicasPath', ['.status.'], 'should be a json path under .status'],
    ['labelSelectorPath', ['.spec.', '.status.'], 'should be a json path under either .spec or .status'],
  ] as const;
  for (const [field, prefixes, detail] of rules) {
    const text = scale[field] ?? '';
    const at = path.child('scale', field);
    if (text === '') {
      if (field !== 'labelSelectorPath') errors.push(required(at));
      continue;
    }
    if (!validateSimplePath(errors, text, at)) continue;
    if (!prefixes.some((prefix) => text.startsWith(prefix))) errors.push(invalidValue(at, text, detail));
  }
}

/** A path that starts with a dot; whether it reads as a whole shows when it is used. */
function validateSimplePath(errors: FieldError[], text: string, path: FieldPath): boolean {
  if (text.startsWith('.')) return true;
  errors.push(invalidValue(path, text, 'must be a simple json path starting with .'));
  return false;
}
