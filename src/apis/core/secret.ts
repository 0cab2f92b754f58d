import { isJsonObject, ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import {
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
} from '../../machinery/errors/index.ts';
import { findJsonFault, jsonKind } from '../../machinery/schema/index.ts';
import type { KindRules } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { Secret } from '../types/core-v1.ts';
import { isConfigMapKey, nameIsDnsSubdomain, validateImmutableField } from '../validation/index.ts';
import { dropImmutable, isSameMap } from './config-map.ts';
import { base64Bytes, maxDataBytes } from './data-size.ts';

const frozen = 'field is immutable when `immutable` is set';
const dataPath = fieldPath('data');

/** Secrets: known types need their keys, the type stays, and one that is immutable stays as it is. */
export const secretRules: KindRules<Secret> = {
  validateName: nameIsDnsSubdomain,
  prepareForCreate(secret, { gates }) {
    mergeStringData(secret);
    dropImmutable(secret, undefined, gates);
  },
  prepareForUpdate(secret, old, { gates }) {
    mergeStringData(secret);
    dropImmutable(secret, old, gates);
    if (!secret.type && old.type) secret.type = old.type;
  },
  validate: (secret, { dialect }) => validateSecret(secret, dialect),
  validateKept: (secret, old) => [
    ...validateImmutableField(secret.type ?? '', old.type ?? '', fieldPath('type')),
    ...validateFrozen(secret, old),
  ],
  validateUpdate: (secret, _old, { dialect }) => validateSecret(secret, dialect),
};

/** Moves the write-only `stringData` into `data`. Where both have a key, `stringData` wins. */
export function mergeStringData(secret: Secret): void {
  if (secret.stringData === undefined) return;
  const data = { ...secret.data };
  for (const [key, value] of Object.entries(secret.stringData)) {
    data[key] = Buffer.from(value).toString('base64');
  }
  secret.data = data;
  delete secret.stringData;
}

function validateSecret(secret: Secret, dialect: Dialect): FieldError[] {
  const errors: FieldError[] = [];
  const data = secret.data ?? {};
  let totalBytes = 0;
  for (const key in data) {
    const problems = isConfigMapKey(key);
    if (problems.length > 0) reportInvalid(errors, dataPath.key(key), key, problems);
    totalBytes += base64Bytes(data[key] ?? '');
  }
  if (totalBytes > maxDataBytes) errors.push(tooLong(dataPath, '', maxDataBytes));
  validateType(errors, secret, dialect);
  return errors;
}

function validateType(errors: FieldError[], secret: Secret, dialect: Dialect): void {
  const type = secret.type ?? '';
  if (type === '' || type === 'Opaque') return;
  const data = secret.data ?? {};
  // Release 1.20 formats these paths only half.
  const oddPath = fieldPath('data[%s]');
  switch (dialect.unspell(type)) {
    case 'orch.io/service-account-token': {
      const key = dialect.label('service-account.name');
      if (!secret.metadata.annotations?.[key]) {
        errors.push(required(fieldPath('metadata', 'annotations').key(key)));
      }
      break;
    }
    case 'orch.io/dockercfg':
      validateJson(errors, data, '.dockercfg');
      break;
    case 'orch.io/dockerconfigjson':
      validateJson(errors, data, '.dockerconfigjson');
      break;
    case 'orch.io/basic-auth':
      if (Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password')) break;
      errors.push(required(oddPath.key('username')), required(oddPath.key('password')));
      break;
    case 'orch.io/ssh-auth':
      if (!data['ssh-privatekey']) errors.push(required(oddPath.key('ssh-privatekey')));
      break;
    case 'orch.io/tls':
      for (const key of ['tls.crt', 'tls.key']) {
        if (!Object.hasOwn(data, key)) errors.push(required(dataPath.key(key)));
      }
      break;
  }
}

function validateJson(errors: FieldError[], data: Readonly<Record<string, string>>, key: string): void {
  const path = dataPath.key(key);
  const content = ownValue(data, key);
  if (content === undefined) {
    errors.push(required(path));
    return;
  }
  const problem = jsonObjectProblem(Buffer.from(content, 'base64'));
  if (problem !== undefined) errors.push(invalidValue(path, '<secret contents redacted>', problem));
}

/** What release 1.20's decoder of these contents (Go's encoding/json) says where they are no object. */
function jsonObjectProblem(bytes: Buffer): string | undefined {
  const fault = findJsonFault(bytes);
  if (fault !== undefined) return fault;
  const value: unknown = JSON.parse(bytes.toString());
  return value === null || isJsonObject(value)
    ? undefined
    : `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`;
}

function validateFrozen(secret: Secret, old: Secret): FieldError[] {
  const errors: FieldError[] = [];
  if (old.immutable !== true) return errors;
  if (secret.immutable !== true) errors.push(forbiddenField(fieldPath('immutable'), frozen));
  if (!isSameMap(secret, old, 'data')) errors.push(forbiddenField(dataPath, frozen));
  return errors;
}
