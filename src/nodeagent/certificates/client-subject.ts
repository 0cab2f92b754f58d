import type { CertificateSubject } from './signing-request.ts';

/** Who a node is to the API server. */
export function clientSubject(nodeName: string): CertificateSubject {
  return {
    commonName: `system:node:${nodeName}`,
    organizations: ['system:nodes'],
    dnsNames: [],
    ipAddresses: [],
  };
}
