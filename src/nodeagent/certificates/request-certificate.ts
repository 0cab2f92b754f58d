import type { CertificateSigningRequest } from '../../apis/types/certificates-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { startInformer } from '../../client/informer/index.ts';
import { type RestClient, resourcePath } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { judgeRequest } from './judge-request.ts';

/** What a certificate is for: who signs it, and how it may be used. */
export interface CertificatePurpose {
  /** In the spelling of the orch dialect. */
  readonly signerName: string;
  readonly usages: readonly string[];
}

/** Purposes of the agent's certificates. */
export const certificatePurposes = {
  client: {
    signerName: 'orch.io/orch-apiserver-client-nodeagent',
    usages: ['digital signature', 'key encipherment', 'client auth'],
  },
  serving: {
    signerName: 'orch.io/nodeagent-serving',
    usages: ['digital signature', 'key encipherment', 'server auth'],
  },
} as const satisfies Readonly<Record<string, CertificatePurpose>>;

/** One certificate signing request (API group `certificates`), and how long its result is waited for. */
export interface CertificateRequestOptions {
  readonly client: RestClient;
  readonly dialect: Dialect;
  readonly purpose: CertificatePurpose;
  /** The signed request (PKCS #10) as PEM. */
  readonly requestPem: string;
  /** Name of the object, for a request that a restart must find again; the server names it when left out. */
  readonly name?: string | undefined;
  /** How long approval and signature may take. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** No certificate was issued for a request: it was denied or has failed, or was not handled in time. */
export class CertificateRequestError extends Error {
  override readonly name = 'CertificateRequestError';
  readonly code: 'refused' | 'timeout' | 'aborted';

  constructor(code: CertificateRequestError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Asks the API server for a certificate and waits until it was approved and signed. Resolves with the chain as PEM.
 *
 * @throws CertificateRequestError; StatusError and TransportError of the request itself. Failures while waiting are borne.
 */
export async function requestCertificate(options: CertificateRequestOptions): Promise<string> {
  const name = await submit(options);
  options.logger.info('certificate signing request pending', { request: name });
  return awaitCertificate(name, options);
}

const resourceOf = (dialect: Dialect) => ({
  group: dialect.group('certificates'),
  version: 'v1',
  resource: 'certificatesigningrequests',
});

/** A request that is there already under the name is the one that an earlier start made with the same key. */
async function submit({
  client,
  dialect,
  purpose,
  requestPem,
  name,
  signal,
}: CertificateRequestOptions): Promise<string> {
  const resource = resourceOf(dialect);
  const body = {
    apiVersion: `${resource.group}/${resource.version}`,
    kind: 'CertificateSigningRequest',
    metadata: name === undefined ? { generateName: 'csr-' } : { name },
    spec: {
      request: Buffer.from(requestPem, 'utf8').toString('base64'),
      signerName: dialect.spell(purpose.signerName),
      usages: purpose.usages,
    },
  };
  try {
    const path = resourcePath(resource);
    const made = await client.json<CertificateSigningRequest>({ method: 'POST', path, body, signal });
    return made.metadata.name ?? '';
  } catch (error) {
    if (name !== undefined && isReason(error, 'AlreadyExists')) return name;
    throw error;
  }
}

async function awaitCertificate(
  name: string,
  { client, dialect, clock, logger, timeoutMs, signal }: CertificateRequestOptions,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (code: CertificateRequestError['code'], message: string): void =>
    reject(new CertificateRequestError(code, message));
  const judge = (request: CertificateSigningRequest): void => {
    const verdict = judgeRequest(request);
    if (verdict.kind === 'issued') resolve(verdict.certificatePem);
    else if (verdict.kind === 'refused') fail('refused', verdict.message);
  };
  const onAbort = (): void => fail('aborted', `certificate signing request ${name}: the agent is stopping`);
  const watching = new AbortController();
  const cancelTimer = clock.setTimer(timeoutMs, () =>
    fail(
      'timeout',
      `certificate signing request ${name} was not approved and signed in ${timeoutMs / 1000} s`,
    ),
  );
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  startInformer<CertificateSigningRequest>({
    client,
    clock,
    resource: resourceOf(dialect),
    fieldSelector: `metadata.name=${name}`,
    signal: watching.signal,
    onAdd: judge,
    onUpdate: judge,
    onDelete: () => fail('refused', `certificate signing request ${name} was deleted`),
    onError: (error) => logger.debug('certificate signing request watch failed', { request: name, error }),
  });
  try {
    return await promise;
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', onAbort);
    watching.abort();
  }
}
