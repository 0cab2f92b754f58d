import type { Dialect } from '../../machinery/dialect.ts';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import { reportInvalid } from '../reporting.ts';
import type { ConfigMapNodeConfigSource, NodeConfigSource, NodeConfigStatus } from '../types/core-v1.ts';
import { isConfigMapKey, isDns1123Label, isDns1123Subdomain } from '../validation/index.ts';

/** Errors of `spec.configSource`: where the agent of a node takes its configuration from. */
export const validateConfigSourceSpec = (source: NodeConfigSource, dialect: Dialect): FieldError[] =>
  validateSource(source, fieldPath('spec', 'configSource'), { dialect, isSpec: true });

/** Errors of `status.config`, which names the sources that an agent uses. */
export function validateConfigStatus(status: NodeConfigStatus, dialect: Dialect): FieldError[] {
  const path = fieldPath('status', 'config');
  const errors: FieldError[] = [];
  for (const field of ['assigned', 'active', 'lastKnownGood'] as const) {
    const source = status[field];
    if (source) errors.push(...validateSource(source, path.child(field), { dialect, isSpec: false }));
  }
  return errors;
}

interface SourceOptions {
  readonly dialect: Dialect;
  /** In a spec the client says which ConfigMap; in a status also which object and version it was. */
  readonly isSpec: boolean;
}

function validateSource(source: NodeConfigSource, path: FieldPath, options: SourceOptions): FieldError[] {
  if (source.configMap === undefined) {
    const shown = new VerbatimValue(
      'core.NodeConfigSource{ConfigMap:(*core.ConfigMapNodeConfigSource)(nil)}',
    );
    return [invalidValue(path, shown, 'exactly one reference subfield must be non-nil')];
  }
  return validateConfigMap(source.configMap, path.child('configMap'), options);
}

function validateConfigMap(
  source: ConfigMapNodeConfigSource,
  path: FieldPath,
  { dialect, isSpec }: SourceOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['uid', 'resourceVersion'] as const) {
    const value = source[field];
    if (isSpec && value) errors.push(forbiddenField(path.child(field), `${field} must not be set in spec`));
    if (!isSpec && !value) errors.push(required(path.child(field), `${field} must be set in status`));
  }
  validateText(errors, path, 'namespace', source.namespace, isDns1123Label);
  validateText(errors, path, 'name', source.name, isDns1123Subdomain);
  const keyField = dialect.spell('nodeAgentConfigKey');
  const key: unknown = Reflect.get(source, keyField);
  validateText(errors, path, keyField, typeof key === 'string' ? key : '', isConfigMapKey);
  return errors;
}

function validateText(
  errors: FieldError[],
  path: FieldPath,
  field: string,
  value: string,
  check: (text: string) => string[],
): void {
  if (value === '') errors.push(required(path.child(field), `${field} must be set`));
  else reportInvalid(errors, path.child(field), value, check(value));
}
