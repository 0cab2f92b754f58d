/**
 * Rules of the API servers' own group: storage versions, by which replicas say how they encode each resource.
 */
import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { KindRules, KindRulesTable } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { StorageVersion } from '../types/internal-apiserver-v1alpha1.ts';
import { goStringList, isDns1035Label, isDns1123Subdomain } from '../validation/index.ts';

const listPath = fieldPath('status', 'storageVersions');

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
  for (const [at, { apiServerID = '', encodingVersion = '', decodableVersions = [] }] of servers.entries()) {
    const path = listPath.index(at);
    reportInvalid(errors, path.child('apiServerID'), apiServerID, isDns1123Subdomain(apiServerID));
    if (decodableVersions.includes(encodingVersion)) continue;
    const detail = `decodableVersions must include encodingVersion ${encodingVersion}`;
    errors.push(invalidValue(path.child('decodableVersions'), goStringList(decodableVersions), detail));
  }
  const versions = new Set(servers.map((server) => server.encodingVersion));
  const common = versions.size === 1 ? servers[0]?.encodingVersion : undefined;
  if (status.commonEncodingVersion !== common) {
    const path = fieldPath('status', 'commonEncodingVersion');
    const detail =
      common === undefined
        ? 'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet'
        : `the common encoding version is ${common}`;
    errors.push(invalidValue(path, status.commonEncodingVersion ?? null, detail));
  }
  return errors;
}

/** Rules of the API servers' own kinds. */
export const internalApiserverRules: KindRulesTable = {
  'internal.apiserver.orch.io/v1alpha1.StorageVersion': storageVersionRules,
};
