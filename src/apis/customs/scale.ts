import { isJsonObject, type JsonObject, setOwn } from '../../base/index.ts';
import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import { isInteger, isJsonNumber, toInteger } from '../../machinery/go-values/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatGo, goTypeOfJson } from '../../machinery/patch/strategic/index.ts';
import type { ScalePaths } from '../resources/index.ts';
import type { Scale } from '../types/autoscaling-v1.ts';

/** A path leads to something else than what it is for; the text is apimachinery's. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
}

const maxReplicas = 2 ** 31 - 1;

/** Errors of the wanted number of replicas of an object. */
export function validateScaleSpec(object: JsonObject, scale: ScalePaths | undefined): FieldError[] {
  return scale === undefined
    ? []
    : checked(scale.specReplicasPath, 0, () => replicasError(object, scale.specReplicasPath));
}

/** Errors of the number of replicas that there are, and of what selects them. */
export function validateScaleStatus(object: JsonObject, scale: ScalePaths | undefined): FieldError[] {
  if (scale === undefined) return [];
  const { statusReplicasPath, labelSelectorPath = '' } = scale;
  const errors = checked(statusReplicasPath, 0, () => replicasError(object, statusReplicasPath));
  if (labelSelectorPath === '') return errors;
  return [...errors, ...checked(labelSelectorPath, '', () => selectorError(object, labelSelectorPath))];
}

/** Reads the selector, which is wrong only when it cannot be read. @throws AccessError */
function selectorError(object: JsonObject, path: string): undefined {
  textAt(object, path);
}

/** Errors name the path as the definition has it, with the dot in front. */
const pathOf = (path: string) => fieldPath(path);

function checked(path: string, zero: unknown, check: () => FieldError | undefined): FieldError[] {
  try {
    const error = check();
    return error === undefined ? [] : [error];
  } catch (error) {
    if (error instanceof AccessError) return [invalidValue(pathOf(path), zero, error.message)];
    throw error;
  }
}

function replicasError(object: JsonObject, path: string): FieldError | undefined {
  const replicas = integerAt(object, path) ?? 0n;
  if (replicas < 0) return invalidValue(pathOf(path), replicas, 'should be a non-negative integer');
  if (replicas > maxReplicas)
    return invalidValue(pathOf(path), replicas, `should be less than or equal to ${maxReplicas}`);
  return undefined;
}

/** The scale of an object; without `spec.replicas` where nothing stands at their path. @throws AccessError */
export function customScale(object: ApiObject, paths: ScalePaths): Scale {
  const fields: JsonObject = { ...object };
  const { name, namespace, uid, resourceVersion, creationTimestamp = null } = object.metadata;
  const replicas = integerAt(fields, paths.specReplicasPath);
  const { labelSelectorPath = '' } = paths;
  const selector = labelSelectorPath === '' ? undefined : textAt(fields, labelSelectorPath);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: replicas === undefined ? undefined : Number(replicas) },
    status: {
      replicas: Number(integerAt(fields, paths.statusReplicasPath) ?? 0),
      ...(selector ? { selector } : {}),
    },
  };
}

/** Writes the wanted number of replicas into an object. @throws AccessError when its path leads through something else. */
export function setReplicas(object: object, path: string, replicas: number): void {
  const names = namesOf(path);
  let fields: unknown = object;
  for (const [at, name] of names.slice(0, -1).entries()) {
    if (!isJsonObject(fields)) return;
    const next = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (next === undefined) setOwn(fields, name, {});
    else if (!isJsonObject(next)) {
      throw new AccessError(
        `value cannot be set because .${names.slice(0, at + 1).join('.')} is not a map[string]interface{}`,
      );
    }
    fields = fields[name];
  }
  if (isJsonObject(fields)) setOwn(fields, names.at(-1) ?? '', replicas);
}

const namesOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

/** The whole number at a path; undefined when nothing is there. @throws AccessError */
function integerAt(object: JsonObject, path: string): bigint | undefined {
  const value = valueAt(object, path);
  if (value === undefined) return undefined;
  if (isJsonNumber(value) && isInteger(value)) return toInteger(value);
  throw wrongType(value, path, 'int64');
}

function textAt(object: JsonObject, path: string): string | undefined {
  const value = valueAt(object, path);
  if (value === undefined || typeof value === 'string') return value;
  throw wrongType(value, path, 'string');
}

function valueAt(object: JsonObject, path: string): unknown {
  const names = namesOf(path);
  let value: unknown = object;
  for (const [at, name] of names.entries()) {
    if (value === null) return undefined;
    if (!isJsonObject(value))
      throw wrongType(value, names.slice(0, at + 1).join('.'), 'map[string]interface{}');
    if (!Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function wrongType(value: unknown, path: string, expected: string): AccessError {
  const dotted = path.startsWith('.') ? path : `.${path}`;
  return new AccessError(
    `${dotted} accessor error: ${formatGo(value)} is of the type ${value === null ? '<nil>' : goTypeOfJson(value)}, expected ${expected}`,
  );
}
