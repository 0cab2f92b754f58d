import { isJsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import type { Configuration } from './configuration.ts';
import type { Variable } from './kustomization.ts';
import { type Resource, splitApiVersion } from './resource.ts';
import type { ResourceMap } from './resource-map.ts';
import { changeFields } from './transform.ts';

/**
 * Puts values in the place of `$(NAME)`, and `$(NAME)` in that of `$$(NAME)`; names that nobody defined stay. Returns
 * the variables that nothing names.
 *
 * @throws CtlError when a variable's object or field is not there.
 */
export function resolveVariables(
  resources: ResourceMap,
  variables: readonly Variable[],
  configuration: Configuration,
): readonly string[] {
  const values = new Map(variables.map((variable) => [variable.name, readVariable(variable, resources)]));
  if (values.size === 0) return [];
  const used = new Set<string>();
  const expand = (text: string): string =>
    text.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name: string | undefined) => {
      if (name === undefined) return '$';
      const value = values.get(name);
      if (value === undefined) return whole;
      used.add(name);
      return value;
    });
  for (const resource of resources.all) {
    changeFields(resource, configuration.varReference, (value) => expandValue(value, expand));
  }
  return [...values.keys()].filter((name) => !used.has(name));
}

function expandValue(value: unknown, expand: (text: string) => string): unknown {
  if (typeof value === 'string') return expand(value);
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? expand(item) : item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, typeof item === 'string' ? expand(item) : item]),
  );
}

function readVariable(
  { name, apiVersion, kind, objectName, fieldPath }: Variable,
  resources: ResourceMap,
): string {
  const [group, version] = splitApiVersion(apiVersion);
  const matches = resources.named({ group, version, kind, originalName: objectName });
  const [target] = matches;
  if (target === undefined) {
    throw new CtlError(
      `var '${name}' cannot be mapped to a field in the set of known resources: there is no ${kind} ${objectName} of ${apiVersion}`,
    );
  }
  if (matches.length > 1) {
    const ids = matches.map(({ id }) => id).join(' ');
    throw new CtlError(`found multiple resId for var '${name}': [${ids}]`);
  }
  const value = readField(target, fieldPath);
  if (typeof value === 'string') return value;
  throw new CtlError(
    `field specified in var '${name}' not found in corresponding resource: ${fieldPath} is no text`,
  );
}

/** The value at `a.b[key.with.dots].c`. */
function readField(resource: Resource, path: string): unknown {
  const names = [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, key, name]) => key ?? name ?? '');
  let value: unknown = resource.object;
  for (const name of names) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
