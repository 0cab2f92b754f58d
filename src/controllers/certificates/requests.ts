/**
 * Signing requests of the certificates group without a hand: approved for node agents that may have them, signed by the
 * built-in signers, removed when they are old. It holds no keys: who issues certificates is given to it. Source: release
 * 1.20, `pkg/controller/certificates`.
 */

import type { CertificateSigningRequest } from '../../apis/types/certificates-v1.ts';

/** What a certificate is requested for, read from the request's bytes. */
export interface RequestedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** Makes certificates. Who it is signed by depends on the signer's name. */
export interface CertificateIssuer {
  /** @throws Error when the PEM holds no request. */
  read(requestPem: string): Promise<RequestedSubject>;
  /** The certificate as PEM. @throws Error when the request cannot be signed. */
  sign(order: SigningOrder): Promise<string>;
  /** When a certificate in PEM ends, in milliseconds since the epoch; undefined when there is none in it. */
  expiryOf(certificatePem: string): number | undefined;
}

/** A certificate that a signer is to make. */
export interface SigningOrder {
  /** In the spelling of the orch dialect. */
  readonly signer: SignerName;
  readonly requestPem: string;
  readonly usages: readonly string[];
}

/** Signers that every cluster has, in the spelling of the orch dialect. */
export const signerNames = [
  'orch.io/orch-apiserver-client',
  'orch.io/orch-apiserver-client-nodeagent',
  'orch.io/nodeagent-serving',
  'orch.io/legacy-unknown',
] as const;

/** One of the built-in signers. */
export type SignerName = (typeof signerNames)[number];

const nodeUsages: Readonly<Record<'client' | 'serving', readonly string[]>> = {
  client: ['client auth', 'digital signature', 'key encipherment'],
  serving: ['digital signature', 'key encipherment', 'server auth'],
};

/** The request as PEM. */
export const requestPemOf = ({ spec }: CertificateSigningRequest): string =>
  Buffer.from(spec.request ?? '', 'base64').toString('utf8');

/** Whether a condition of the type is there. */
export function hasCondition({ status }: CertificateSigningRequest, type: string): boolean {
  return (status.conditions ?? []).some((condition) => condition.type === type);
}

/** Why a request is not one of an agent for its client certificate; undefined when it is. */
export function nodeClientProblem(subject: RequestedSubject, usages: readonly string[]): string | undefined {
  return (
    organizationProblem(subject) ??
    (subject.dnsNames.length > 0 ? 'DNS subjectAltNames are not allowed' : undefined) ??
    emailProblem(subject) ??
    (subject.ipAddresses.length > 0 ? 'IP subjectAltNames are not allowed' : undefined) ??
    uriProblem(subject) ??
    nodeNameProblem(subject) ??
    usagesProblem(usages, nodeUsages.client)
  );
}

/** Why a request is not one of an agent for its serving certificate; undefined when it is. */
export function nodeServingProblem(subject: RequestedSubject, usages: readonly string[]): string | undefined {
  const isNameless = subject.dnsNames.length === 0 && subject.ipAddresses.length === 0;
  return (
    organizationProblem(subject) ??
    (isNameless ? 'DNS or IP subjectAltName is required' : undefined) ??
    emailProblem(subject) ??
    uriProblem(subject) ??
    nodeNameProblem(subject) ??
    usagesProblem(usages, nodeUsages.serving)
  );
}

/** Why a client certificate may not be used like this; undefined when it may. */
export function clientUsagesProblem(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => !nodeUsages.client.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth')
    ? undefined
    : 'missing required usage for client certificate: client auth';
}

function organizationProblem({ organizations }: RequestedSubject): string | undefined {
  return organizations.length === 1 && organizations[0] === 'system:nodes'
    ? undefined
    : 'subject organization is not system:nodes';
}

const nodeNameProblem = ({ commonName }: RequestedSubject): string | undefined =>
  commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';

const emailProblem = ({ emailAddresses }: RequestedSubject): string | undefined =>
  emailAddresses.length > 0 ? 'Email subjectAltNames are not allowed' : undefined;

const uriProblem = ({ uris }: RequestedSubject): string | undefined =>
  uris.length > 0 ? 'URI subjectAltNames are not allowed' : undefined;

function usagesProblem(given: readonly string[], wanted: readonly string[]): string | undefined {
  const isSame = wanted.every((usage) => given.includes(usage)) && given.every((u) => wanted.includes(u));
  return isSame ? undefined : `usages did not match [${wanted.join(' ')}]`;
}
