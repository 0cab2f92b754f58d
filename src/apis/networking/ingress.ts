import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { validateLoadBalancerStatus } from '../network-checks.ts';
import { reportInvalid } from '../reporting.ts';
import type { HTTPIngressPath, Ingress, IngressTLS } from '../types/networking-v1beta1.ts';
import {
  isDns1123Subdomain,
  isIpText,
  isWildcardDns1123Subdomain,
  nameIsDnsSubdomain,
  renderGo,
} from '../validation/index.ts';
import { type BackendNames, betaNames, latestNames, validateBackend } from './ingress-backend.ts';

const specPath = fieldPath('spec');
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
    ...validateIngress(ingress, context),
    ...validateClassAnnotation(ingress, context),
  ],
  validateUpdate: (ingress, _old, context) => validateIngress(ingress, context),
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

function validateIngress({ spec }: Ingress, { requestApiVersion, catalog }: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const isLatest = requestApiVersion === latest;
  const names = isLatest ? latestNames : betaNames;
  const rules = spec.rules ?? [];
  if (rules.length === 0 && spec.backend === undefined) {
    const shown = renderGo(rules, 'list<networking.orch.io/v1.IngressRule>', catalog);
    const detail = `either \`${names.defaultBackend}\` or \`rules\` must be specified`;
    errors.push(invalidValue(specPath, shown, detail));
  }
  if (spec.backend !== undefined) {
    validateBackend(errors, spec.backend, specPath.child(names.defaultBackend), names);
  }
  for (const [at, rule] of rules.entries()) {
    const path = specPath.child('rules').index(at);
    validateHost(errors, rule.host ?? '', path.child('host'));
    if (rule.http !== undefined) validatePaths(errors, rule.http, path.child('http', 'paths'), names);
  }
  for (const [at, tls] of (spec.tls ?? []).entries()) {
    validateTls(errors, tls, specPath.child('tls').index(at), isLatest);
  }
  const className = spec.ingressClassName;
  if (className !== undefined) {
    reportInvalid(errors, specPath.child('ingressClassName'), className, isDns1123Subdomain(className));
  }
  return errors;
}

const checkHostForm = (host: string): string[] =>
  host.includes('*') ? isWildcardDns1123Subdomain(host) : isDns1123Subdomain(host);

function validateHost(errors: FieldError[], host: string, path: FieldPath): void {
  if (host === '') return;
  if (isIpText(host)) errors.push(invalidValue(path, host, 'must be a DNS name, not an IP address'));
  reportInvalid(errors, path, host, checkHostForm(host));
}

function validatePaths(
  errors: FieldError[],
  { paths }: NonNullable<NonNullable<Ingress['spec']['rules']>[number]['http']>,
  listPath: FieldPath,
  names: BackendNames,
): void {
  if (!paths?.length) errors.push(required(listPath));
  for (const [at, path] of (paths ?? []).entries()) validatePath(errors, path, listPath.index(at), names);
}

function validateTls(errors: FieldError[], tls: IngressTLS, path: FieldPath, checksSecret: boolean): void {
  for (const [at, host] of (tls.hosts ?? []).entries()) {
    reportInvalid(errors, path.child('hosts').index(at), host, checkHostForm(host));
  }
  const { secretName } = tls;
  if (checksSecret && secretName) {
    reportInvalid(errors, path.child('secretName'), secretName, isDns1123Subdomain(secretName));
  }
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

const types: readonly string[] = ['Exact', 'ImplementationSpecific', 'Prefix'];
const refusedParts: readonly string[] = ['//', '/./', '/../', '%2f', '%2F'];
const refusedEnds: readonly string[] = ['/..', '/.'];

/** Adds the errors of one path of a rule and of its backend. */
function validatePath(
  errors: FieldError[],
  { path: text = '', pathType, backend }: HTTPIngressPath,
  path: FieldPath,
  names: BackendNames,
): void {
  if (pathType === undefined) {
    errors.push(required(path.child('pathType'), 'pathType must be specified'));
    return;
  }
  if (!types.includes(pathType)) errors.push(notSupported(path.child('pathType'), pathType, types));
  else {
    const isFree = pathType === 'ImplementationSpecific';
    for (const problem of describePath(text, isFree)) {
      errors.push(invalidValue(path.child('path'), text, problem));
    }
  }
  validateBackend(errors, backend, path.child('backend'), names);
}

function describePath(text: string, isFree: boolean): string[] {
  const problems: string[] = [];
  if (!text.startsWith('/') && !(isFree && text === '')) problems.push('must be an absolute path');
  if (isFree) return problems;
  for (const part of refusedParts) if (text.includes(part)) problems.push(`must not contain '${part}'`);
  for (const end of refusedEnds) if (text.endsWith(end)) problems.push(`cannot end with '${end}'`);
  return problems;
}
