import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import { wasGivenEmpty } from '../../machinery/schema/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { validateLoadBalancerStatus } from '../network-checks.ts';
import { reportInvalid } from '../reporting.ts';
import type { Ingress, IngressRule, IngressTLS } from '../types/networking-v1beta1.ts';
import { isDns1123Subdomain, nameIsDnsSubdomain, renderGo } from '../validation/index.ts';
import { betaNames, latestNames, validateBackend } from './ingress-backend.ts';
import { describeHost, validateHost, validatePaths } from './ingress-rule.ts';

const specPath = fieldPath('spec');
const rulesPath = specPath.child('rules');
const latest = 'networking.orch.io/v1';

/** Ingresses. Errors name fields as the version of the request does. */
export const ingressRules: KindRules<Ingress> = {
  messageGroup: 'extensions',
  hasStatus: true,
  hasGeneration: true,
  validateName: nameIsDnsSubdomain,
  prepareForCreate(ingress) {
    ingress.status = { loadBalancer: {} };
  },
  prepareForUpdate(ingress, old) {
    ingress.status = old.status;
  },
  validate: (ingress, context) => [
    ...validateIngress(ingress, undefined, context),
    ...validateClassAnnotation(ingress, context),
  ],
  validateUpdate: validateIngress,
  showOverOld(ingress, old) {
    if (ingress.spec.backend === undefined && old.spec.backend !== undefined)
      ingress.spec.backend = old.spec.backend;
  },
  status: {
    prepareForUpdate(ingress, old) {
      ingress.spec = old.spec;
    },
    validateUpdate: ({ status }) => validateLoadBalancerStatus(status.loadBalancer.ingress),
  },
};

function validateIngress(
  { spec }: Ingress,
  old: Ingress | undefined,
  { requestApiVersion, catalog }: RuleContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const isLatest = requestApiVersion === latest;
  const names = isLatest ? latestNames : betaNames;
  const allowed = isLatest ? allowedSince(old) : { secretNames: true, wildcardRules: true };
  const rules = spec.rules ?? [];
  if (rules.length === 0 && spec.backend === undefined) {
    const shown = wasGivenEmpty(spec, 'rules')
      ? new VerbatimValue('[]networking.IngressRule{}')
      : renderGo(rules, 'list<networking.orch.io/v1.IngressRule>', catalog);
    const detail = `either \`${names.defaultBackend}\` or \`rules\` must be specified`;
    errors.push(invalidValue(specPath, shown, detail));
  }
  if (spec.backend !== undefined) {
    validateBackend(errors, spec.backend, specPath.child(names.defaultBackend), names);
  }
  for (const [at, rule] of rules.entries()) {
    const path = rulesPath.index(at);
    validateHost(errors, rule.host ?? '', path.child('host'));
    if (!allowed.wildcardRules || !hasWildcard(rule)) validatePaths(errors, rule, path, names);
  }
  for (const [at, tls] of (spec.tls ?? []).entries()) {
    validateTls(errors, tls, specPath.child('tls').index(at), allowed);
  }
  const className = spec.ingressClassName;
  if (className !== undefined) {
    reportInvalid(errors, specPath.child('ingressClassName'), className, isDns1123Subdomain(className));
  }
  return errors;
}

/** What is not looked at, because older versions of the API never did. */
interface Allowed {
  readonly secretNames: boolean;
  readonly wildcardRules: boolean;
}

/** What the stored object has wrong may stay wrong. */
function allowedSince(old: Ingress | undefined): Allowed {
  const hasWrongRule = (rule: IngressRule): boolean => {
    const errors: FieldError[] = [];
    if (hasWildcard(rule)) validatePaths(errors, rule, rulesPath, latestNames);
    return errors.length > 0;
  };
  return {
    secretNames: old?.spec.tls?.some((tls) => describeSecretName(tls).length > 0) ?? false,
    wildcardRules: old?.spec.rules?.some(hasWrongRule) ?? false,
  };
}

const hasWildcard = ({ host }: IngressRule): boolean => host?.includes('*') ?? false;

const describeSecretName = ({ secretName }: IngressTLS): string[] =>
  secretName ? isDns1123Subdomain(secretName) : [];

function validateTls(errors: FieldError[], tls: IngressTLS, path: FieldPath, allowed: Allowed): void {
  for (const [at, host] of (tls.hosts ?? []).entries()) {
    reportInvalid(errors, path.child('hosts').index(at), host, describeHost(host));
  }
  if (allowed.secretNames) return;
  reportInvalid(errors, path.child('secretName'), tls.secretName, describeSecretName(tls));
}

/** The class is named by the field, or by the older annotation, not by both. */
function validateClassAnnotation({ metadata, spec }: Ingress, { dialect }: RuleContext): FieldError[] {
  if (spec.ingressClassName === undefined || metadata.annotations === undefined) return [];
  const key = dialect.label('ingress.class');
  const value = metadata.annotations[key];
  if (value === undefined) return [];
  const detail = 'can not be set when the class field is also set';
  return [invalidValue(fieldPath('annotations', key), value, detail)];
}
