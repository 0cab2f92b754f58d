import type { LimitedResource } from '../../apis/quota/index.ts';
import type { ScopedResourceSelectorRequirement } from '../../apis/types/core-v1.ts';
import { isJsonObject, type JsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { AdmissionConfigurationError, expectKind, refuseUnknown } from './admission-configuration.ts';

/**
 * What may be used only where a quota bounds it, of the configuration of ResourceQuota in any of its versions. Scopes and
 * operators that nothing can match are errors, which release 1.20 takes and never applies.
 *
 * @throws AdmissionConfigurationError that names the field.
 */
export function readLimitedResources(
  document: Readonly<JsonObject>,
  dialect: Dialect,
): readonly LimitedResource[] {
  const group = dialect.group('resourcequota.admission');
  if (document.kind === 'Configuration') {
    expectKind(document, 'Configuration', [`${group}/v1beta1`, `${group}/v1alpha1`]);
  } else {
    expectKind(document, 'ResourceQuotaConfiguration', [`${dialect.group('apiserver.config')}/v1`]);
  }
  const { limitedResources, ...rest } = document;
  refuseUnknown(rest, '', ['apiVersion', 'kind']);
  return objectsOf(limitedResources, 'limitedResources').map((limit, index) =>
    readLimit(limit, `limitedResources[${index}]`),
  );
}

function readLimit(limit: Readonly<JsonObject>, path: string): LimitedResource {
  const { apiGroup, resource, matchContains, matchScopes, ...rest } = limit;
  refuseUnknown(rest, path, []);
  const name = textOf(resource, `${path}.resource`);
  if (name === '') throw new AdmissionConfigurationError(`${path}.resource: must name a resource`);
  return {
    group: textOf(apiGroup, `${path}.apiGroup`),
    resource: name,
    matchContains: textsOf(matchContains, `${path}.matchContains`),
    matchScopes: objectsOf(matchScopes, `${path}.matchScopes`).map((scope, index) =>
      readScope(scope, `${path}.matchScopes[${index}]`),
    ),
  };
}

const operators: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
const scopeNames: readonly string[] = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
];

function readScope(scope: Readonly<JsonObject>, path: string): ScopedResourceSelectorRequirement {
  const { scopeName, operator, values, ...rest } = scope;
  refuseUnknown(rest, path, []);
  const read = {
    scopeName: textOf(scopeName, `${path}.scopeName`),
    operator: textOf(operator, `${path}.operator`),
    values: textsOf(values, `${path}.values`),
  };
  const fail = (field: string, text: string): never => {
    throw new AdmissionConfigurationError(`${path}.${field}: ${text}`);
  };
  if (!scopeNames.includes(read.scopeName)) fail('scopeName', `must be one of ${scopeNames.join(', ')}`);
  if (!operators.includes(read.operator)) fail('operator', `must be one of ${operators.join(', ')}`);
  const needsValues = read.operator === 'In' || read.operator === 'NotIn';
  if (needsValues && read.values.length === 0) fail('values', `must not be empty for ${read.operator}`);
  if (!needsValues && read.values.length > 0) fail('values', `must be empty for ${read.operator}`);
  return read;
}

/** A list of objects that may be left out. */
function objectsOf(value: unknown, path: string): readonly Readonly<JsonObject>[] {
  const items = value ?? [];
  if (!Array.isArray(items)) throw new AdmissionConfigurationError(`${path}: must be a list`);
  return items.map((item, index) => {
    if (isJsonObject(item)) return item;
    throw new AdmissionConfigurationError(`${path}[${index}]: must be an object`);
  });
}

/** A list of texts that may be left out. */
function textsOf(value: unknown, path: string): string[] {
  const items = value ?? [];
  if (!Array.isArray(items)) throw new AdmissionConfigurationError(`${path}: must be a list`);
  return items.map((item, index) => {
    if (typeof item === 'string') return item;
    throw new AdmissionConfigurationError(`${path}[${index}]: must be a text`);
  });
}

function textOf(value: unknown, path: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new AdmissionConfigurationError(`${path}: must be a text`);
}
