import { isJsonObject, type JsonObject, setOwn } from '../../base/index.ts';
import { CtlError } from '../errors.ts';

/** The names of a path such as `spec/template`; `\/` stands for a slash within a name. */
export function splitPath(path: string): string[] {
  return path.split(/(?<!\\)\//).map((name) => name.replaceAll('\\/', '/'));
}

/**
 * Replaces the values that a path leads to; lists on the way stand for all of their items. A field that is missing is
 * made when `create` says so. The object is changed.
 *
 * @throws CtlError when something on the way is neither a map nor a list of maps.
 */
export function mutateField(
  object: JsonObject,
  path: readonly string[],
  create: boolean,
  change: (value: unknown) => unknown,
): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (!Object.hasOwn(object, name)) {
    if (!create) return;
    setOwn(object, name, rest.length === 0 ? undefined : {});
  }
  const value = object[name];
  if (rest.length === 0) {
    setOwn(object, name, change(value));
    return;
  }
  if (value === null) return;
  for (const item of Array.isArray(value) ? value : [value]) {
    if (!isJsonObject(item)) {
      throw new CtlError(
        `${JSON.stringify(item)} at ${name} is expected to be a map, to reach ${path.join('/')}`,
      );
    }
    mutateField(item, rest, create, change);
  }
}
