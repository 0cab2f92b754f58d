/**
 * Signing requests of the certificates group without a hand: approved for node agents that may have them, signed by the
 * built-in signers, removed when they are old. It holds no keys: who issues certificates is given to it. Source: release
 * 1.20, `pkg/controller/certificates`.
 */
export { certificateApprovingController } from './approve.ts';
export { certificateCleaningController } from './clean.ts';
export type { CertificateIssuer, RequestedSubject, SignerName, SigningOrder } from './requests.ts';
export { certificateSigningController } from './sign.ts';
