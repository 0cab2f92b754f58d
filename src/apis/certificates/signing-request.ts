import {
  duplicate,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  quoteGo,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../types/certificates-v1beta1.ts';
import { deepEqual, nameIsPathSegment } from '../validation/index.ts';
import { describeCertificateProblem, describeRequestProblem } from './pem.ts';
import { validateSignerName } from './signer-name.ts';
import usages from './usages.json' with { type: 'json' };

const specPath = fieldPath('spec');
const conditionsPath = fieldPath('status', 'conditions');
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
  // Agents name their first request after a hash, with capitals and underscores.
  validateName: nameIsPathSegment,
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
      if (!isLatest(context)) restoreDecisions(request, old);
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

const isLatest = ({ requestApiVersion }: RuleContext): boolean =>
  requestApiVersion === 'certificates.orch.io/v1';

/** The older version ignores decisions that come the wrong way, where the newer one refuses. */
function restoreDecisions(request: CertificateSigningRequest, old: CertificateSigningRequest): void {
  const others = (request.status.conditions ?? []).filter(
    ({ type }) => type !== 'Approved' && type !== 'Denied',
  );
  const kept = (old.status.conditions ?? []).filter(({ type }) => type === 'Approved' || type === 'Denied');
  const conditions = [...kept, ...others];
  if (conditions.length > 0) request.status.conditions = conditions;
  else delete request.status.conditions;
}

/** New conditions are timed by the server; one that keeps its status keeps its time of transition. */
function stampConditions(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { now }: RuleContext,
): void {
  const known = new Map((old.status.conditions ?? []).map((condition) => [condition.type, condition]));
  for (const condition of request.status.conditions ?? []) {
    condition.lastUpdateTime ??= now;
    if (condition.lastTransitionTime) continue;
    const before = known.get(condition.type);
    const keepsTime = before?.status === condition.status && before.lastTransitionTime;
    condition.lastTransitionTime = keepsTime ? (before?.lastTransitionTime ?? now) : now;
  }
}

function validateRequest(request: CertificateSigningRequest, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const { spec, status } = request;
  const requestPath = specPath.child('request');
  const problem = describeRequestProblem(Buffer.from(spec.request ?? '', 'base64').toString('latin1'));
  if (problem !== undefined) errors.push(invalidValue(requestPath, showBytes(spec.request), problem));
  const strict = isLatest(context);
  validateUsages(errors, spec.usages ?? [], strict);
  const signer = spec.signerName ?? '';
  const signerPath = specPath.child('signerName');
  const legacy = context.dialect.label('legacy-unknown');
  if (strict && signer === legacy) {
    errors.push(
      invalidValue(signerPath, signer, 'the legacy signerName is not allowed via this API version'),
    );
  } else errors.push(...validateSignerName(signer, signerPath));
  validateConditions(errors, status.conditions ?? [], strict);
  return errors;
}

/** Bytes as release 1.20 shows them. */
const showBytes = (base64: string | null | undefined): string | VerbatimValue =>
  base64 ? Buffer.from(base64, 'base64').toString() : new VerbatimValue('[]byte(nil)');

function validateUsages(errors: FieldError[], given: readonly string[], isStrict: boolean): void {
  const path = specPath.child('usages');
  if (given.length === 0) errors.push(required(path, 'usages must be provided'));
  if (!isStrict) return;
  const seen = new Set<string>();
  for (const [at, usage] of given.entries()) {
    if (!usages.includes(usage)) errors.push(notSupported(path.index(at), usage, usages));
    if (seen.has(usage)) errors.push(duplicate(path.index(at), usage));
    seen.add(usage);
  }
}

function validateConditions(
  errors: FieldError[],
  conditions: readonly CertificateSigningRequestCondition[],
  isStrict: boolean,
): void {
  const seen = new Set<string>();
  for (const [at, { type, status }] of conditions.entries()) {
    const path = conditionsPath.index(at);
    if (type === '' && isStrict) errors.push(required(path.child('type')));
    const allowed = decisions.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    if (status === '') errors.push(required(path.child('status')));
    else if (!allowed.includes(status)) errors.push(notSupported(path.child('status'), status, allowed));
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (opposite !== undefined && seen.has(opposite)) {
      errors.push(
        invalidValue(path.child('type'), type, 'Approved and Denied conditions are mutually exclusive'),
      );
    }
    if (seen.has(type) && isStrict) errors.push(duplicate(path.child('type'), type));
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
  const strict = isLatest(context);
  const before = old.status.certificate ?? '';
  const certificate = request.status.certificate ?? '';
  const certificatePath = fieldPath('status', 'certificate');
  validateConditions(errors, request.status.conditions ?? [], strict);
  if (strict && mayIssue && certificate !== '' && certificate !== before) {
    const problem = describeCertificateProblem(Buffer.from(certificate, 'base64').toString('latin1'));
    if (problem !== undefined) errors.push(invalidValue(certificatePath, '<certificate data>', problem));
  }
  validateDecisions(errors, request, old, mayDecide);
  if (certificate === before || (before === '' && mayIssue)) return errors;
  const detail = mayIssue
    ? 'updates may not change certificate content'
    : 'updates may not set certificate content';
  if (before !== '' || !mayIssue) errors.push(forbiddenField(certificatePath, detail));
  return errors;
}

/** Decisions are made once, in the one place for it. */
function validateDecisions(
  errors: FieldError[],
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  mayDecide: boolean,
): void {
  for (const type of decisions) {
    const after = conditionsOf(request, type);
    const before = conditionsOf(old, type);
    const mayAdd = mayDecide || type === 'Failed';
    const describe = (verb: string): FieldError =>
      forbiddenField(conditionsPath, `updates may not ${verb} a condition of type ${quoteGo(type)}`);
    if (after.length < before.length) errors.push(describe('remove'));
    else if (after.length > before.length) {
      if (!mayAdd) errors.push(describe('add'));
    } else if (!deepEqual(after, before)) errors.push(describe('modify'));
  }
}

const conditionsOf = (request: CertificateSigningRequest, type: string) =>
  (request.status.conditions ?? []).filter((condition) => condition.type === type);
