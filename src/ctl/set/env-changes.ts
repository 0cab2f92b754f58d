import { asJsonObject, asList, asText, type JsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { editContainers, matchesWildcard } from './pod-spec.ts';

/** Variables to set, in order, and names of those to take away. */
export interface EnvChanges {
  readonly set: readonly JsonObject[];
  readonly remove: ReadonlySet<string>;
}

/** Reads `NAME=VALUE` and `NAME-`. @throws CtlError as release 1.20 words it */
export function parseEnv(specs: readonly string[]): EnvChanges {
  const set: JsonObject[] = [];
  const remove = new Set<string>();
  for (const spec of specs) {
    const [, name = '', value] = /^(\w+)=(.*)$/s.exec(spec) ?? [];
    if (value !== undefined) set.push({ name, value });
    else if (spec.endsWith('-') && spec.length > 1) remove.add(spec.slice(0, -1));
    else throw new CtlError(badVariable);
  }
  if (set.some(({ name }) => remove.has(asText(name)))) {
    throw new CtlError('can not both modify and remove the same environment variable in the same command');
  }
  return { set, remove };
}

const badVariable =
  'environment variables must be of the form key=value and can only contain letters, numbers, and underscores';

/** Where variables get their values from: an object's keys. */
export interface EnvSource {
  readonly kind: 'configMapKeyRef' | 'secretKeyRef';
  readonly name: string;
  readonly keys: readonly string[];
}

/** One variable per key, by name: `b.c` becomes `B_C` after the prefix. */
export function variablesFrom({ kind, name, keys }: EnvSource, prefix: string): readonly JsonObject[] {
  return [...keys].sort().map((key) => ({
    name: prefix + key.replace(/\W/g, '_').toUpperCase(),
    valueFrom: { [kind]: { name, key } },
  }));
}

/** How containers are chosen, and whether variables that are there may get other values. */
export interface EnvSetting {
  /** A name, in which `*` stands for any characters. */
  readonly containers: string;
  readonly overwrites: boolean;
}

/** The pod spec after the changes, and whether a container was meant. @throws CtlError for what may not be overwritten */
export function changeEnv(
  spec: JsonObject,
  changes: EnvChanges,
  { containers, overwrites }: EnvSetting,
): { readonly spec: JsonObject; readonly isFound: boolean } {
  let isFound = false;
  const changed = editContainers(spec, 'containers', (container) => {
    if (!matchesWildcard(containers, asText(container.name))) return container;
    isFound = true;
    const before = asList(container.env).map(asJsonObject);
    if (!overwrites) refuseOverwriting(before, changes);
    const { env: _, ...others } = container;
    const env = mergeEnv(before, changes);
    return env.length === 0 ? others : { ...container, env };
  });
  return { spec: changed, isFound };
}

/** Variables keep their places; new ones come last. */
function mergeEnv(before: readonly JsonObject[], { set, remove }: EnvChanges): readonly JsonObject[] {
  const wanted = new Map(set.map((one) => [asText(one.name), one]));
  const kept = before
    .filter(({ name }) => !remove.has(asText(name)))
    .map((one) => {
      const newer = wanted.get(asText(one.name));
      wanted.delete(asText(one.name));
      return newer ?? one;
    });
  return [...kept, ...wanted.values()];
}

function refuseOverwriting(before: readonly JsonObject[], { set }: EnvChanges): void {
  for (const { name, value } of before) {
    if (!set.some((one) => one.name === name)) continue;
    throw new CtlError(`'${name}' already has a value (${asText(value)}), and --overwrite is false`);
  }
}

/** Where a variable gets its value from, in words. */
export function describeSource(from: JsonObject): string {
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = from;
  const map = asJsonObject(configMapKeyRef);
  const secret = asJsonObject(secretKeyRef);
  const field = asJsonObject(resourceFieldRef);
  if (configMapKeyRef !== undefined) return `configmap ${map.name}, key ${map.key}`;
  if (secretKeyRef !== undefined) return `secret ${secret.name}, key ${secret.key}`;
  if (fieldRef !== undefined) return `field path ${asJsonObject(fieldRef).fieldPath}`;
  if (resourceFieldRef === undefined) return 'invalid valueFrom';
  return `resource field ${field.containerName ? `${field.containerName}/` : ''}${field.resource}`;
}

/** The value of a field of the object itself that a variable takes; undefined for others. */
export function fieldValue(object: JsonObject, path: string): string | undefined {
  const metadata = asJsonObject(object.metadata);
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  if (map !== undefined) return asText(asJsonObject(metadata[map])[key]);
  const [, field] = /^metadata\.(name|namespace|uid)$/.exec(path) ?? [];
  return field === undefined ? undefined : asText(metadata[field]);
}
