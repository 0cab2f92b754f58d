import type { RuleContext } from '../kind-rules.ts';
import type { CertificateSigningRequest } from '../types/certificates-v1beta1.ts';
import { describeCertificateProblem } from './pem.ts';

/** What is asked of a signing request. `v1` asks for more than the version before, but what a stored one has wrong may stay. */
export interface RequestDemands {
  readonly knownUsages: boolean;
  readonly uniqueUsages: boolean;
  readonly currentSigner: boolean;
  readonly typedConditions: boolean;
  readonly uniqueConditions: boolean;
  /** Not both approved and denied. */
  readonly oneDecision: boolean;
  readonly realCertificate: boolean;
  /** A certificate stays once it was issued. */
  readonly lastingCertificate: boolean;
}

/** Whether a request came in the version that asks for all. */
export const isLatest = ({ requestApiVersion }: RuleContext): boolean =>
  requestApiVersion === 'certificates.orch.io/v1';

/** What is asked of a new request. Its usages and signer never change, so that an update need not look at them. */
export const demandsOfNew = (context: RuleContext): RequestDemands => {
  const isStrict = isLatest(context);
  return {
    knownUsages: isStrict,
    uniqueUsages: isStrict,
    currentSigner: isStrict,
    typedConditions: isStrict,
    uniqueConditions: isStrict,
    oneDecision: true,
    realCertificate: isStrict,
    lastingCertificate: isStrict,
  };
};

/** What is asked of a changed request. */
export function demandsOfUpdate(old: CertificateSigningRequest, context: RuleContext): RequestDemands {
  const demands = demandsOfNew(context);
  const types = (old.status.conditions ?? []).map(({ type }) => type);
  const wasDecidedBothWays = types.includes('Approved') && types.includes('Denied');
  return {
    ...demands,
    typedConditions: demands.typedConditions && !types.includes(''),
    uniqueConditions: demands.uniqueConditions && new Set(types).size === types.length,
    oneDecision: !wasDecidedBothWays,
    realCertificate: demands.realCertificate && certificateProblem(old) === undefined,
  };
}

/** What is wrong with the certificate that was issued; undefined when nothing is, or none was. */
export function certificateProblem({ status }: CertificateSigningRequest): string | undefined {
  if (!status.certificate) return undefined;
  return describeCertificateProblem(Buffer.from(status.certificate, 'base64').toString('latin1'));
}
