import type { Dialect } from '../../../machinery/dialect.ts';
import { type FieldError, type FieldPath, invalidValue } from '../../../machinery/errors/index.ts';
import { reportInvalid } from '../../reporting.ts';
import { isQualifiedName } from '../../validation/index.ts';
import names from './resource-names.json' with { type: 'json' };

const containerNames: ReadonlySet<string> = new Set(names.container);
const standardNames: ReadonlySet<string> = new Set(names.standard);
const countedNames: ReadonlySet<string> = new Set(names.counted);

const ownDomains = new WeakMap<Dialect, string>();

/** The product's own domain with a slash: resources below it are native. */
function ownDomain(dialect: Dialect): string {
  let domain = ownDomains.get(dialect);
  if (domain === undefined) {
    domain = dialect.label('');
    ownDomains.set(dialect, domain);
  }
  return domain;
}

/** True for `hugepages-2Mi` and the like. */
export const isHugePage = (name: string): boolean => name.startsWith('hugepages-');

/** True for resources of the product itself: without a domain, or below its own. */
export const isNativeResource = (name: string, dialect: Dialect): boolean =>
  !name.includes('/') || name.includes(ownDomain(dialect));

/** True for resources that a node's device plugins or operators add, such as `example.com/gpu`. */
export function isExtendedResource(name: string, dialect: Dialect): boolean {
  if (isNativeResource(name, dialect) || name.startsWith('requests.')) return false;
  return isQualifiedName(`requests.${name}`).length === 0;
}

/** True when a limit may be above the request: the node can share the resource. */
export const allowsOvercommit = (name: string, dialect: Dialect): boolean =>
  isNativeResource(name, dialect) && !isHugePage(name);

/** True for resources that exist in whole units only. */
export const isIntegerResource = (name: string, dialect: Dialect): boolean =>
  countedNames.has(name) || isExtendedResource(name, dialect);

/** Errors of the name of a resource that a container asks for. */
export function checkContainerResourceName(
  errors: FieldError[],
  name: string,
  path: FieldPath,
  dialect: Dialect,
): void {
  if (containerNames.has(name)) return;
  const problems = isQualifiedName(name);
  reportInvalid(errors, path, name, problems);
  const reject = (detail: string): void => {
    errors.push(invalidValue(path, name, detail));
  };
  if (!name.includes('/')) {
    const isKnown = standardNames.has(name) || isHugePage(name) || name.startsWith('requests.hugepages-');
    if (problems.length === 0 && !isKnown) reject('must be a standard resource type or fully qualified');
    if (!isHugePage(name)) reject('must be a standard resource for containers');
  } else if (!isNativeResource(name, dialect) && !isExtendedResource(name, dialect)) {
    reject("doesn't follow extended resource name standard");
  }
}
