import { type FieldError, type FieldPath, invalidValue, tooLong } from '../../machinery/errors/index.ts';
import { isLabelValue, isQualifiedName } from '../../machinery/formats/index.ts';

type StringMap = Readonly<Record<string, string>>;

/** Most bytes that all keys and values of an object's annotations may have together. */
const maxAnnotationBytes = 262_144;

/** Errors of one label key. */
export const validateLabelName = (name: string, path: FieldPath): FieldError[] =>
  isQualifiedName(name).map((problem) => invalidValue(path, name, problem));

/** Errors of labels, all at the map's own path. */
export function validateLabels(labels: StringMap | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (labels === undefined) return errors;
  for (const [key, value] of Object.entries(labels)) {
    for (const problem of isQualifiedName(key)) errors.push(invalidValue(path, key, problem));
    for (const problem of isLabelValue(value)) errors.push(invalidValue(path, value, problem));
  }
  return errors;
}

/** Errors of annotations, all at the map's own path. Keys may be in mixed case; the total size is bounded. */
export function validateAnnotations(annotations: StringMap | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (annotations === undefined) return errors;
  let totalBytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    totalBytes += Buffer.byteLength(key) + Buffer.byteLength(value);
    for (const problem of isQualifiedName(key.toLowerCase())) errors.push(invalidValue(path, key, problem));
  }
  if (totalBytes > maxAnnotationBytes) errors.push(tooLong(path, '', maxAnnotationBytes));
  return errors;
}
