import {
  duplicate,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../types/certificates-v1beta1.ts';
import { nameIsPathSegment, validateObjectMeta } from '../validation/index.ts';
import { keepDecisions, stampConditions, validateDecisions } from './decisions.ts';
import { describeRequestProblem } from './pem.ts';
import {
  certificateProblem,
  demandsOfNew,
  demandsOfUpdate,
  isLatest,
  type RequestDemands,
} from './request-demands.ts';
import { validateSignerName } from './signer-name.ts';
import usages from './usages.json' with { type: 'json' };

const specPath = fieldPath('spec');
const conditionsPath = fieldPath('status', 'conditions');
const certificatePath = fieldPath('status', 'certificate');
/** Conditions that are true or not there. */
const decisions: readonly string[] = ['Approved', 'Denied', 'Failed'];

/** What a way of writing may change. */
interface WriteLimits {
  readonly mayDecide: boolean;
  readonly mayIssue: boolean;
}

const nothing: WriteLimits = { mayDecide: false, mayIssue: false };

/** Signing requests. The request stays; a decision comes through `approval`, the certificate through `status`. */
export const certificateSigningRequestRules: KindRules<CertificateSigningRequest> = {
  hasStatus: true,
  // Agents name their first request after a hash, with capitals and underscores: any name will do that can stand in a path.
  validateName: () => [],
  validateLast: ({ metadata }, old) =>
    old === undefined
      ? validateObjectMeta(
          metadata,
          { isNamespaced: false, validateName: nameIsPathSegment },
          fieldPath('metadata'),
        )
      : [],
  prepareForCreate(request, { user }) {
    const { spec } = request;
    spec.username = user.name;
    spec.uid = user.uid;
    spec.groups = [...user.groups];
    spec.extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]));
    request.status = {};
  },
  prepareForUpdate(request, old) {
    request.spec = old.spec;
    request.status = old.status;
  },
  validate: validateRequest,
  validateUpdate: (request, old, context) => validateChange(request, old, context, nothing),
  status: {
    prepareForUpdate(request, old, context) {
      request.spec = old.spec;
      keepDecisions(request, old, { isLatest: isLatest(context) });
      stampConditions(request, old, context);
    },
    validateUpdate: (request, old, context) =>
      validateChange(request, old, context, { mayDecide: false, mayIssue: true }),
  },
  subresources: {
    approval: {
      prepareForUpdate(request, old, context) {
        request.spec = old.spec;
        request.status = { ...old.status, conditions: request.status.conditions };
        stampConditions(request, old, context);
      },
      validateUpdate: (request, old, context) =>
        validateChange(request, old, context, { mayDecide: true, mayIssue: false }),
    },
  },
};

function validateRequest({ spec, status }: CertificateSigningRequest, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const demands = demandsOfNew(context);
  const problem = describeRequestProblem(Buffer.from(spec.request ?? '', 'base64').toString('latin1'));
  if (problem !== undefined) {
    errors.push(invalidValue(specPath.child('request'), showBytes(spec.request), problem));
  }
  validateUsages(errors, spec.usages ?? [], demands);
  const signer = spec.signerName ?? '';
  const signerPath = specPath.child('signerName');
  const legacy = context.dialect.label('legacy-unknown');
  if (demands.currentSigner && signer === legacy) {
    const detail = 'the legacy signerName is not allowed via this API version';
    errors.push(invalidValue(signerPath, signer, detail));
  } else errors.push(...validateSignerName(signer, signerPath));
  validateConditions(errors, status.conditions ?? [], demands);
  return errors;
}

/** Bytes as Go's `%#v` shows them. */
function showBytes(base64: string | null | undefined): VerbatimValue {
  if (base64 === null || base64 === undefined) return new VerbatimValue('[]byte(nil)');
  const numbers = Array.from(Buffer.from(base64, 'base64'), (byte) => `0x${byte.toString(16)}`);
  return new VerbatimValue(`[]byte{${numbers.join(', ')}}`);
}

function validateUsages(errors: FieldError[], given: readonly string[], demands: RequestDemands): void {
  const path = specPath.child('usages');
  if (given.length === 0) errors.push(required(path, 'usages must be provided'));
  for (const [at, usage] of given.entries()) {
    if (!demands.knownUsages || usages.includes(usage)) continue;
    errors.push(notSupported(path.index(at), usage, usages));
  }
  const seen = new Set<string>();
  for (const [at, usage] of given.entries()) {
    if (demands.uniqueUsages && seen.has(usage)) errors.push(duplicate(path.index(at), usage));
    seen.add(usage);
  }
}

function validateConditions(
  errors: FieldError[],
  conditions: readonly CertificateSigningRequestCondition[],
  demands: RequestDemands,
): void {
  const seen = new Set<string>();
  for (const [at, { type, status }] of conditions.entries()) {
    const path = conditionsPath.index(at);
    if (type === '' && demands.typedConditions) errors.push(required(path.child('type')));
    const allowed = decisions.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    if (status === '') errors.push(required(path.child('status')));
    else if (!allowed.includes(status)) errors.push(notSupported(path.child('status'), status, allowed));
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (demands.oneDecision && opposite !== undefined && seen.has(opposite)) {
      const detail = 'Approved and Denied conditions are mutually exclusive';
      errors.push(invalidValue(path.child('type'), type, detail));
    }
    if (demands.uniqueConditions && seen.has(type)) errors.push(duplicate(path.child('type'), type));
    seen.add(type);
  }
}

function validateChange(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  context: RuleContext,
  { mayDecide, mayIssue }: WriteLimits,
): FieldError[] {
  const errors: FieldError[] = [];
  const demands = demandsOfUpdate(old, context);
  const before = old.status.certificate ?? '';
  const isSameCertificate = (request.status.certificate ?? '') === before;
  const problem = isSameCertificate ? undefined : certificateProblem(request);
  validateConditions(errors, request.status.conditions ?? [], demands);
  if (demands.realCertificate && problem !== undefined) {
    errors.push(invalidValue(certificatePath, '<certificate data>', problem));
  }
  errors.push(...validateDecisions(request, old, { mayDecide }));
  if (isSameCertificate) return errors;
  if (!mayIssue) errors.push(forbiddenField(certificatePath, 'updates may not set certificate content'));
  else if (demands.lastingCertificate && before !== '') {
    const detail = 'updates may not modify existing certificate content';
    errors.push(forbiddenField(certificatePath, detail));
  }
  return errors;
}
