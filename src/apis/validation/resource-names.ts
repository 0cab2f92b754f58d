import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, type FieldPath, invalidValue } from '../../machinery/errors/index.ts';
import { isQualifiedName } from '../../machinery/formats/index.ts';
import data from './resource-names.json' with { type: 'json' };

const containerNames: ReadonlySet<string> = new Set(data.container);
const integerNames: ReadonlySet<string> = new Set(data.integer);
const quotaNames: ReadonlySet<string> = new Set(data.quota);
const standardNames: ReadonlySet<string> = new Set([...data.quota, ...data.others]);

/** True for `hugepages-2Mi` and the like. */
export const isHugePageName = (name: string): boolean => name.startsWith('hugepages-');

const isQuotaHugePageName = (name: string): boolean =>
  isHugePageName(name) || name.startsWith('requests.hugepages-');

const isPlain = (name: string): boolean => !name.includes('/');

/** True for resources of the product itself: names without a domain, or in the product's own. */
export const isNativeResource = (name: string, dialect: Dialect): boolean =>
  isPlain(name) || name.includes(dialect.label(''));

/** True for resources that devices or operators define: `example.com/gpu`. */
export function isExtendedResource(name: string, dialect: Dialect): boolean {
  if (isNativeResource(name, dialect) || name.startsWith('requests.')) return false;
  // Quotas put this prefix before it, and it must still be a name.
  return isQualifiedName(`requests.${name}`).length === 0;
}

/** True for resources that are counted in whole numbers. */
export const isIntegerResource = (name: string, dialect: Dialect): boolean =>
  integerNames.has(name) || isExtendedResource(name, dialect);

/** Errors of a resource name anywhere: qualified, and without a domain a known one. */
export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = isQualifiedName(name).map((problem) => invalidValue(path, name, problem));
  if (errors.length > 0 || !isPlain(name) || standardNames.has(name) || isQuotaHugePageName(name))
    return errors;
  return [invalidValue(path, name, 'must be a standard resource type or fully qualified')];
}

/** Errors of a resource name in a container's requests and limits. */
export function validateContainerResourceName(name: string, path: FieldPath, dialect: Dialect): FieldError[] {
  const errors = validateResourceName(name, path);
  if (isPlain(name)) {
    if (!containerNames.has(name) && !isHugePageName(name)) {
      errors.push(invalidValue(path, name, 'must be a standard resource for containers'));
    }
  } else if (!isNativeResource(name, dialect) && !isExtendedResource(name, dialect)) {
    errors.push(invalidValue(path, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

/** Errors of a resource name in a quota. */
export function validateQuotaResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (isPlain(name) && !quotaNames.has(name) && !isQuotaHugePageName(name)) {
    errors.push(invalidValue(path, name, 'must be a standard resource for quota'));
  }
  return errors;
}
