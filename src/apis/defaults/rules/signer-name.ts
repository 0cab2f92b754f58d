import type { CertificateSigningRequestSpec } from '../../types/certificates-v1beta1.ts';
import { type CertificateRequest, parseCertificateRequest } from '../certificate-request.ts';
import type { DefaultContext } from '../default-rule.ts';

const commonUsages = ['digital signature', 'key encipherment'];

/** A request without a signer is for the node signers when it looks like an agent's, else for the legacy one. */
export function signerName(spec: CertificateSigningRequestSpec, { dialect }: DefaultContext): void {
  if (spec.signerName !== undefined) return;
  const request = typeof spec.request === 'string' ? parseCertificateRequest(spec.request) : undefined;
  const usages = spec.usages ?? [];
  if (request !== undefined && isAgentClient(request, usages)) {
    spec.signerName = dialect.spell('orch.io/orch-apiserver-client-nodeagent');
  } else if (request !== undefined && isAgentServing(request, usages)) {
    spec.signerName = dialect.spell('orch.io/nodeagent-serving');
  } else {
    spec.signerName = dialect.spell('orch.io/legacy-unknown');
  }
}

function isAgentClient(request: CertificateRequest, usages: readonly string[]): boolean {
  const { dns, ip, email, uri } = request.alternativeNames;
  return (
    isNode(request) && dns + ip + email + uri === 0 && hasExactly(usages, [...commonUsages, 'client auth'])
  );
}

function isAgentServing(request: CertificateRequest, usages: readonly string[]): boolean {
  const { dns, ip, email, uri } = request.alternativeNames;
  const isNamed = dns + ip > 0 && email + uri === 0;
  return isNode(request) && isNamed && hasExactly(usages, [...commonUsages, 'server auth']);
}

function isNode({ organizations, commonName }: CertificateRequest): boolean {
  return (
    organizations.length === 1 && organizations[0] === 'system:nodes' && commonName.startsWith('system:node:')
  );
}

function hasExactly(usages: readonly string[], wanted: readonly string[]): boolean {
  return usages.length === wanted.length && wanted.every((usage) => usages.includes(usage));
}
