import type { CertificateSigningRequest } from '../../apis/types/certificates-v1.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { followRequests, writeRequest } from './follow-requests.ts';
import {
  type CertificateIssuer,
  clientUsagesProblem,
  hasCondition,
  nodeClientProblem,
  nodeServingProblem,
  type RequestedSubject,
  requestPemOf,
  type SignerName,
  signerNames,
} from './requests.ts';

/** The signer whose turn it is: of a request that is approved, not signed, and did not fail. */
export function signerFor(
  request: CertificateSigningRequest,
  spell: (text: string) => string,
): SignerName | undefined {
  if (request.status.certificate || hasCondition(request, 'Denied')) return undefined;
  if (!hasCondition(request, 'Approved') || hasCondition(request, 'Failed')) return undefined;
  return signerNames.find((name) => spell(name) === request.spec.signerName);
}

/** Why the rules of its signer keep a request from being signed; undefined when they do not. Pure. */
export function signerProblem(
  signer: SignerName,
  subject: RequestedSubject,
  usages: readonly string[],
): string | undefined {
  switch (signer) {
    case 'orch.io/orch-apiserver-client':
      return clientUsagesProblem(usages);
    case 'orch.io/orch-apiserver-client-nodeagent':
      return nodeClientProblem(subject, usages);
    case 'orch.io/nodeagent-serving':
      return nodeServingProblem(subject, usages);
    case 'orch.io/legacy-unknown':
      return undefined;
  }
}

/** Signs approved requests for the built-in signers; a request that breaks its signer's rules fails for good. */
export function certificateSigningController(issuer: CertificateIssuer): Controller {
  return {
    name: 'csrsigning',
    run: (context) => followRequests(context, (request) => sign(context, issuer, request)),
  };
}

async function sign(
  context: ControllerContext,
  issuer: CertificateIssuer,
  request: CertificateSigningRequest,
): Promise<void> {
  const { dialect, clock } = context;
  const signer = signerFor(request, (text) => dialect.spell(text));
  if (signer === undefined) return;
  const requestPem = requestPemOf(request);
  const { usages = [] } = request.spec;
  const message = signerProblem(signer, await issuer.read(requestPem), usages);
  const { status } = request;
  if (message !== undefined) {
    const condition = {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message,
      lastUpdateTime: `${new Date(clock.nowMs()).toISOString().slice(0, 19)}Z`,
    };
    const conditions = [...(status.conditions ?? []), condition];
    await writeRequest(context, 'status', { ...request, status: { ...status, conditions } });
    return;
  }
  const pem = await issuer.sign({ signer, requestPem, usages });
  const certificate = Buffer.from(pem).toString('base64');
  await writeRequest(context, 'status', { ...request, status: { ...status, certificate } });
}
