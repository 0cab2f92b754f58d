/**
 * Rules of the certificates group: signing requests. Who may approve and sign is for admission.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { certificateSigningRequestRules } from './signing-request.ts';

/** Rules of the certificates group's kinds. */
export const certificatesRules: KindRulesTable = {
  'certificates.orch.io/v1beta1.CertificateSigningRequest': certificateSigningRequestRules,
};
