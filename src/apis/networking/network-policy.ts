import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { KindRules } from '../kind-rules.ts';
import { validatePortNumberOrName } from '../network-checks.ts';
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../types/networking-v1.ts';
import {
  goList,
  nameIsDnsSubdomain,
  networkContains,
  parseCidr,
  validateLabelSelector,
} from '../validation/index.ts';

const specPath = fieldPath('spec');
const protocols: readonly string[] = ['TCP', 'UDP', 'SCTP'];
const policyTypes: readonly string[] = ['Ingress', 'Egress'];

/** Network policies. */
export const networkPolicyRules: KindRules<NetworkPolicy> = {
  messageGroup: 'extensions',
  hasGeneration: true,
  validateName: nameIsDnsSubdomain,
  validate: validatePolicy,
  // Release 1.20 looks at it a second time.
  validateUpdate: validatePolicy,
};

function validatePolicy({ spec }: NetworkPolicy): FieldError[] {
  const errors = validateLabelSelector(spec.podSelector, specPath.child('podSelector'));
  for (const [at, { ports, from }] of (spec.ingress ?? []).entries()) {
    const path = specPath.child('ingress').index(at);
    validatePorts(errors, ports ?? [], path.child('ports'));
    validatePeers(errors, from ?? [], path.child('from'));
  }
  for (const [at, { ports, to }] of (spec.egress ?? []).entries()) {
    const path = specPath.child('egress').index(at);
    validatePorts(errors, ports ?? [], path.child('ports'));
    validatePeers(errors, to ?? [], path.child('to'));
  }
  validateTypes(errors, spec.policyTypes ?? []);
  return errors;
}

function validateTypes(errors: FieldError[], types: readonly string[]): void {
  const path = specPath.child('policyTypes');
  if (types.length > policyTypes.length) {
    const shown = goList(
      'networking.PolicyType',
      types.map((type) => JSON.stringify(type)),
    );
    errors.push(invalidValue(path, new VerbatimValue(shown), 'may not specify more than two policyTypes'));
    return;
  }
  for (const [at, type] of types.entries()) {
    if (!policyTypes.includes(type)) errors.push(notSupported(path.index(at), type, policyTypes));
  }
}

function validatePorts(errors: FieldError[], ports: readonly NetworkPolicyPort[], listPath: FieldPath): void {
  for (const [at, { protocol, port }] of ports.entries()) {
    const path = listPath.index(at);
    if (protocol !== undefined && !protocols.includes(protocol)) {
      errors.push(notSupported(path.child('protocol'), protocol, protocols));
    }
    if (port !== undefined) errors.push(...validatePortNumberOrName(port, path.child('port')));
  }
}

function validatePeers(errors: FieldError[], peers: readonly NetworkPolicyPeer[], listPath: FieldPath): void {
  for (const [at, { podSelector, namespaceSelector, ipBlock }] of peers.entries()) {
    const path = listPath.index(at);
    errors.push(
      ...validateLabelSelector(podSelector, path.child('podSelector')),
      ...validateLabelSelector(namespaceSelector, path.child('namespaceSelector')),
    );
    if (ipBlock !== undefined) validateBlock(errors, ipBlock, path.child('ipBlock'));
    const hasSelector = podSelector !== undefined || namespaceSelector !== undefined;
    if (ipBlock === undefined && !hasSelector) errors.push(required(path, 'must specify a peer'));
    else if (ipBlock !== undefined && hasSelector) {
      errors.push(forbiddenField(path, 'may not specify both ipBlock and another peer'));
    }
  }
}

function validateBlock(errors: FieldError[], { cidr, except }: IPBlock, path: FieldPath): void {
  if (cidr === '') {
    errors.push(required(path.child('cidr')));
    return;
  }
  const whole = parseCidr(cidr);
  if (whole === undefined) {
    errors.push(invalidValue(path.child('cidr'), cidr, 'not a valid CIDR'));
    return;
  }
  for (const [at, text] of (except ?? []).entries()) {
    const at1 = path.child('except').index(at);
    const part = parseCidr(text);
    if (part === undefined) {
      errors.push(invalidValue(at1, text, 'not a valid CIDR'));
      return;
    }
    if (networkContains(whole, part.first) && whole.prefixBits < part.prefixBits) continue;
    errors.push(invalidValue(at1, text, 'must be a strict subset of `cidr`'));
  }
}
