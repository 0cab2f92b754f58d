/**
 * Rules of the registration group: API services, which say who serves a version of a group.
 */
import {
  type FieldError,
  fieldPath,
  invalidValue,
  notSupported,
  quoteGo,
  required,
} from '../../machinery/errors/index.ts';
import type { KindRules, KindRulesTable, RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { APIService } from '../types/apiregistration-v1beta1.ts';
import {
  isDns1035Label,
  isDns1123Subdomain,
  isPathSegmentName,
  isValidPortNumber,
} from '../validation/index.ts';

const specPath = fieldPath('spec');
const maxGroupPriority = 20_000;
const maxVersionPriority = 1000;

const apiServiceRules: KindRules<APIService> = {
  hasStatus: true,
  allowsUnconditionalUpdate: false,
  validateName: (name, _isPrefix, { spec }) => describeName(name, spec),
  allowsAnyFinalizer: true,
  keepsSentOwners: true,
  prepareForCreate(service, { now }) {
    service.status = {};
    if (service.spec.service !== undefined) return;
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: now,
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    service.status = { conditions: [condition] };
  },
  prepareForUpdate(service, old) {
    service.status = old.status;
  },
  validate: validateApiService,
  validateUpdate: (service, _old, context) => validateApiService(service, context),
  status: {
    prepareForUpdate(service, old) {
      service.spec = old.spec;
      service.metadata = { ...service.metadata, ...keptMetadata(old) };
    },
    validateUpdate: validateStatus,
  },
};

function describeName(name: string, { group = '', version = '' }: APIService['spec']): string[] {
  const problems = isPathSegmentName(name);
  const wanted = `${version}.${group}`;
  if (problems.length > 0 || name === wanted) return problems;
  return [`must be \`spec.version+"."+spec.group\`: ${quoteGo(wanted)}`];
}

/** Metadata that a write of the status leaves alone. */
function keptMetadata({ metadata }: APIService): Partial<APIService['metadata']> {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  return { labels, annotations, finalizers, ownerReferences };
}

function validateApiService({ spec }: APIService, { dialect }: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const { group = '', version = '', groupPriorityMinimum, versionPriority } = spec;
  if (group === '' && version !== 'v1') {
    const detail = dialect.spell('only v1 may have an empty group and it better be legacy orch');
    errors.push(required(specPath.child('group'), detail));
  }
  if (group !== '') reportInvalid(errors, specPath.child('group'), group, isDns1123Subdomain(group));
  reportInvalid(errors, specPath.child('version'), version, isDns1035Label(version));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > maxGroupPriority) {
    const detail = `must be positive and less than ${maxGroupPriority}`;
    errors.push(invalidValue(specPath.child('groupPriorityMinimum'), groupPriorityMinimum, detail));
  }
  if (versionPriority <= 0 || versionPriority > maxVersionPriority) {
    const detail = `must be positive and less than ${maxVersionPriority}`;
    errors.push(invalidValue(specPath.child('versionPriority'), versionPriority, detail));
  }
  validateServer(errors, spec);
  return errors;
}

function validateServer(errors: FieldError[], spec: APIService['spec']): void {
  const { service, caBundle = '', insecureSkipTLSVerify = false } = spec;
  const insecurePath = specPath.child('insecureSkipTLSVerify');
  if (service === undefined) {
    if (caBundle !== '') {
      const shown = `${Buffer.from(caBundle, 'base64').length} bytes`;
      errors.push(
        invalidValue(specPath.child('caBundle'), shown, 'local APIServices may not have a caBundle'),
      );
    }
    if (insecureSkipTLSVerify) {
      errors.push(invalidValue(insecurePath, true, 'local APIServices may not have insecureSkipTLSVerify'));
    }
    return;
  }
  const path = specPath.child('service');
  if (!service.namespace) errors.push(required(path.child('namespace')));
  if (!service.name) errors.push(required(path.child('name')));
  const problems = isValidPortNumber(service.port ?? 0);
  if (problems.length > 0) {
    errors.push(
      invalidValue(path.child('port'), service.port ?? 0, `port is not valid: ${problems.join(',')}`),
    );
  }
  if (insecureSkipTLSVerify && caBundle !== '') {
    errors.push(invalidValue(insecurePath, true, 'may not be true if caBundle is present'));
  }
}

function validateStatus({ status }: APIService): FieldError[] {
  const allowed = ['True', 'False', 'Unknown'];
  return (status.conditions ?? []).flatMap((condition, at) =>
    allowed.includes(condition.status)
      ? []
      : [
          notSupported(
            fieldPath('status', 'conditions').index(at).child('status'),
            condition.status,
            allowed,
          ),
        ],
  );
}

/** Rules of the registration group's kinds. */
export const apiregistrationRules: KindRulesTable = {
  'apiregistration.orch.io/v1beta1.APIService': apiServiceRules,
};
