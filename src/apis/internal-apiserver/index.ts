/**
 * Rules of the API servers' own group: storage versions, by which replicas say how they encode each resource.
 */
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import { keepMetadata } from '../keep-metadata.ts';
import type { KindRules, KindRulesTable } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionCondition,
} from '../types/internal-apiserver-v1alpha1.ts';
import { goStringList, isDns1035Label, isDns1123Subdomain, isQualifiedName } from '../validation/index.ts';

const statusPath = fieldPath('status');
const listPath = statusPath.child('storageVersions');

const storageVersionRules: KindRules<StorageVersion> = {
  hasStatus: true,
  allowsUnconditionalUpdate: false,
  validateName: validateResourceName,
  prepareForCreate(version) {
    version.status = {};
  },
  prepareForUpdate(version, old) {
    version.status = old.status;
  },
  status: {
    prepareForUpdate(version, old) {
      version.spec = old.spec;
      keepMetadata(version, old);
    },
    validateUpdate: validateStatus,
  },
};

/** The name is that of a group and of one of its resources. */
function validateResourceName(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...isDns1123Subdomain(name.slice(0, dot)).map((problem) => `the group segment ${problem}`),
    ...isDns1035Label(name.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ];
}

function validateStatus({ status }: StorageVersion): FieldError[] {
  const errors: FieldError[] = [];
  const servers = status.storageVersions ?? [];
  for (const [at, server] of servers.entries()) validateServer(errors, server, listPath.index(at));
  validateCommonVersion(errors, status);
  validateConditions(errors, status.conditions ?? []);
  return errors;
}

function validateServer(
  errors: FieldError[],
  { apiServerID = '', encodingVersion = '', decodableVersions = [] }: ServerStorageVersion,
  path: FieldPath,
): void {
  reportInvalid(errors, path.child('apiServerID'), apiServerID, isDns1123Subdomain(apiServerID));
  const checkVersion = (version: string, at: FieldPath): void => {
    const problems = isDns1035Label(version);
    if (problems.length > 0) errors.push(invalidValue(at, version, problems.join(',')));
  };
  const decodablePath = path.child('decodableVersions');
  checkVersion(encodingVersion, path.child('encodingVersion'));
  for (const [at, version] of decodableVersions.entries()) checkVersion(version, decodablePath.index(at));
  if (decodableVersions.includes(encodingVersion)) return;
  const detail = `decodableVersions must include encodingVersion ${encodingVersion}`;
  errors.push(invalidValue(decodablePath, goStringList(decodableVersions), detail));
}

function validateCommonVersion(
  errors: FieldError[],
  { storageVersions: servers = [], commonEncodingVersion: told }: StorageVersion['status'],
): void {
  const versions = new Set(servers.map((server) => server.encodingVersion));
  const common = versions.size === 1 ? (servers[0]?.encodingVersion ?? '') : undefined;
  if (told === common) return;
  const detail =
    common === undefined
      ? 'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet'
      : `the ${told === undefined ? '' : 'actual '}common encoding version is ${common}`;
  errors.push(invalidValue(statusPath.child('commonEncodingVersion'), told ?? null, detail));
}

/** Release 1.20 leaves `conditions` out of the paths, and shows the type where the status is wrong. */
function validateConditions(errors: FieldError[], conditions: readonly StorageVersionCondition[]): void {
  const positions = new Map<string, number>();
  for (const [at, { type, status, reason, message }] of conditions.entries()) {
    const path = statusPath.index(at);
    const first = positions.get(type);
    if (first !== undefined) {
      const detail = `the type of the condition is not unique, it also appears in conditions[${first}]`;
      errors.push(invalidValue(path.child('type'), type, detail));
    }
    positions.set(type, at);
    reportInvalid(errors, path.child('type'), type, isQualifiedName(type));
    reportInvalid(errors, path.child('status'), type, isQualifiedName(status));
    if (!reason) errors.push(required(path.child('reason'), 'reason cannot be empty'));
    if (!message) errors.push(required(path.child('message'), 'message cannot be empty'));
  }
}

/** Rules of the API servers' own kinds. */
export const internalApiserverRules: KindRulesTable = {
  'internal.apiserver.orch.io/v1alpha1.StorageVersion': storageVersionRules,
};
