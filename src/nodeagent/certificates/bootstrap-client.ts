import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Clock, type Logger, makeDirectory, pause, writeFileAtomic } from '../../base/index.ts';
import {
  type ClientConfig,
  ClientConfigError,
  type ClusterEntry,
  loadClientConfig,
  resolveContext,
  saveClientConfig,
} from '../../client/config/index.ts';
import {
  type CredentialContext,
  createCredentialTransport,
  openCredentials,
} from '../../client/credentials/index.ts';
import { createBackoff } from '../../client/list-watch/index.ts';
import { createRestClient, TransportError } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { checkPair } from './certificate-pair.ts';
import { CertificateStore } from './certificate-store.ts';
import { isClientConfigUsable } from './client-config-usable.ts';
import { clientSubject } from './client-subject.ts';
import { CertificateRequestError, certificatePurposes, requestCertificate } from './request-certificate.ts';
import { type CertificateSubject, makeSigningRequest } from './signing-request.ts';

/**
 * Inputs of TLS bootstrapping: where configuration, key and certificate are read and written, and for which
 * node.
 */
export interface BootstrapOptions {
  /** Where the client configuration is, or will be. */
  readonly orchconfigPath: string;
  /** The configuration to ask with when there is none. */
  readonly bootstrapOrchconfigPath: string;
  /** Directory of certificates. */
  readonly certDir: string;
  readonly nodeName: string;
  /** As the client calls itself. */
  readonly userAgent: string;
  /** Where credentials are obtained that do not stand in the bootstrap configuration. */
  readonly credentials: CredentialContext;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/** How long approval and signature may take before the start fails (release 1.20's bound). */
const approvalTimeoutMs = 3_600_000;
const modes = { directory: 0o755, key: 0o600 } as const;

/**
 * Obtains a client certificate when the client configuration is missing, or its certificate is or has expired: asks with the bootstrap
 * configuration, waits for approval, and writes key, certificate and the client configuration that names them. A start
 * that is interrupted goes on with the same key and the same request. A server that cannot be reached is waited for.
 *
 * @throws CertificateRequestError, StatusError, ClientConfigError; Error of the file system
 */
export async function bootstrapClient(options: BootstrapOptions): Promise<void> {
  const { orchconfigPath, bootstrapOrchconfigPath, certDir, dialect, clock, logger } = options;
  if (await isClientConfigUsable(orchconfigPath, { clock, logger })) return;
  const bootstrap = await load(bootstrapOrchconfigPath);
  logger.info('client certificate bootstrap started', {
    bootstrap: bootstrapOrchconfigPath,
    config: orchconfigPath,
  });
  await makeDirectory(certDir, modes.directory);
  const keyPath = join(certDir, dialect.spell('nodeagent-client.key.tmp'));
  const privateKey = await openKey(keyPath);
  const privateKeyPem = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  try {
    const certificatePem = await ask(bootstrap, privateKey, options);
    const pair = { certificatePem, privateKeyPem };
    checkPair(pair);
    const store = new CertificateStore({ directory: certDir, name: dialect.spell('nodeagent-client') });
    await store.write(pair, clock.nowMs());
    await saveClientConfig(orchconfigPath, withCertificate(bootstrap, store.currentPath));
  } catch (error) {
    // A request that was refused once is refused for ever: the next one is another.
    if (error instanceof CertificateRequestError && error.code === 'refused')
      await rm(keyPath, { force: true });
    throw error;
  }
  await rm(keyPath, { force: true });
}

const load = (path: string): Promise<ClientConfig> =>
  loadClientConfig({ files: [path], isExplicit: true, isFromEnvironment: false });

/** The key of an interrupted start, or a new one. */
async function openKey(path: string): Promise<KeyObject> {
  try {
    const key = createPrivateKey(await readFile(path));
    if (key.asymmetricKeyType === 'ec') return key;
  } catch {
    // What cannot be read is replaced.
  }
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  await writeFileAtomic(path, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: modes.key });
  return privateKey;
}

async function ask(
  bootstrap: ClientConfig,
  privateKey: KeyObject,
  options: BootstrapOptions,
): Promise<string> {
  const { nodeName, userAgent, credentials, dialect, clock, logger, signal } = options;
  const resolved = resolveContext(bootstrap);
  const { connection } = resolved;
  const source = openCredentials(resolved, credentials);
  const transport = source && createCredentialTransport(connection, source).transport;
  const client = createRestClient({ connection, userAgent, clock, transport });
  const publicKey = createPublicKey(privateKey);
  const subject = clientSubject(nodeName);
  const request = {
    client,
    dialect,
    purpose: certificatePurposes.client,
    requestPem: makeSigningRequest(subject, { publicKey, privateKey }),
    name: requestName(subject, publicKey),
    timeoutMs: approvalTimeoutMs,
    clock,
    logger,
    signal,
  };
  const backoff = createBackoff({ firstMs: 1000 });
  try {
    for (;;) {
      try {
        return await requestCertificate(request);
      } catch (error) {
        if (!isPassing(error) || signal.aborted) throw error;
        logger.error('client certificate bootstrap failed', { error });
        await pause(clock, backoff.nextDelayMs(), signal);
      }
    }
  } finally {
    client.close();
  }
}

/** A server that is not there yet, or not ready to answer. */
const isPassing = (error: unknown): boolean =>
  error instanceof TransportError ||
  (error instanceof StatusError && [429, 500, 502, 503, 504].includes(error.status.code ?? 0));

/** The same for the same key and purpose, so that an interrupted start finds its request again. */
function requestName(subject: CertificateSubject, publicKey: KeyObject): string {
  const { signerName, usages } = certificatePurposes.client;
  const hash = createHash('sha512');
  hash.update(JSON.stringify([subject, signerName, usages]));
  hash.update(publicKey.export({ type: 'spki', format: 'der' }));
  return `node-csr-${hash.digest('base64url')}`;
}

/** The bootstrap configuration's server with the certificate in place of its credentials, named as release 1.20 does. */
function withCertificate(bootstrap: ClientConfig, pairPath: string): ClientConfig {
  const context = bootstrap.contexts.get(bootstrap.currentContext);
  const cluster = bootstrap.clusters.get(context?.cluster ?? '');
  if (cluster === undefined)
    throw new ClientConfigError('the bootstrap configuration names no server in its current context');
  const names = { cluster: 'default-cluster', user: 'default-auth', context: 'default-context' };
  return {
    clusters: new Map<string, ClusterEntry>([[names.cluster, cluster]]),
    users: new Map([[names.user, { clientCertificate: pairPath, clientKey: pairPath }]]),
    contexts: new Map([[names.context, { cluster: names.cluster, namespace: 'default', user: names.user }]]),
    currentContext: names.context,
  };
}
