import { readFile } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';
import type { RestClient } from '../../client/rest/index.ts';
import type { AgentServers, AgentServersOptions, ServingPair } from './agent-servers.ts';
import { type Authenticate, createAuthenticator } from './auth/authenticator.ts';
import { type Authorize, allowAll, createAccessReviews } from './auth/authorizer.ts';
import { createGuard } from './auth/guard.ts';
import { createTokenReviews } from './auth/token-reviews.ts';
import { type Listener, listen, listenSecurely, type SecureListener } from './http/listener.ts';
import { createServe } from './http/serve.ts';
import { agentRouter, healthRouter, type RoutesOptions } from './routes.ts';
import { createAgentStats } from './stats/agent-stats.ts';
import { openServingPair } from './tls/serving-pair.ts';
import { tlsSettings } from './tls/tls-settings.ts';

/**
 * Starts every server that the configuration asks for, with what they need of files and certificates.
 *
 * @throws Error when a port cannot be had, a certificate cannot be read, or nobody could get in
 */
export async function startAgentServers(options: AgentServersOptions): Promise<AgentServers> {
  const { config } = options;
  const stopping = new AbortController();
  const open: Listener[] = [];
  const close = async (): Promise<void> => {
    stopping.abort(new Error('the servers are stopping'));
    await Promise.all(open.map((listener) => listener[Symbol.asyncDispose]()));
  };
  const add = async <T extends Listener>(starting: Promise<T>): Promise<T> => {
    const listener = await starting;
    open.push(listener);
    return listener;
  };
  try {
    const routes: RoutesOptions = { ...options, stats: createAgentStats(options) };
    const secure = config.enableServer ? await add(startSecure(routes, stopping.signal)) : undefined;
    const hasReadOnly = config.enableServer && config.readOnlyPort > 0;
    const readOnly = hasReadOnly ? await add(startReadOnly(routes)) : undefined;
    const healthz = config.healthzPort > 0 ? await add(startHealthz(options)) : undefined;
    return {
      securePort: secure?.port,
      readOnlyPort: readOnly?.port,
      healthzPort: healthz?.port,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startSecure(options: RoutesOptions, signal: AbortSignal): Promise<SecureListener> {
  const { config, nodeName, logger } = options;
  const authorities = config.clientCaFile === '' ? undefined : await readAuthorities(config.clientCaFile);
  const guard = createGuard({
    authenticate: buildAuthenticator(options, signal),
    authorize: buildAuthorizer(options, signal),
    nodeName,
    logger,
  });
  const fixed = await tlsSettings(config);
  const toTls = (pair: ServingPair): SecureContextOptions => ({
    ...fixed,
    cert: pair.certificatePem,
    key: pair.privateKeyPem,
    ...(authorities === undefined ? {} : { ca: authorities }),
  });
  const pair = await firstPair(options);
  const listener = await listenSecurely({
    address: config.address,
    port: config.port,
    serve: createServe({
      ...options,
      router: agentRouter(options, { isReadOnly: false }),
      guard,
      serverType: 'readwrite',
    }),
    tls: pair === undefined ? undefined : toTls(pair),
    asksForCertificate: authorities !== undefined,
  });
  const stopListening = options.certificates?.onChange(() => {
    const next = options.certificates?.current();
    if (next !== undefined) listener.setTls(toTls(next));
  });
  signal.addEventListener('abort', () => stopListening?.(), { once: true });
  return listener;
}

function firstPair(options: AgentServersOptions): Promise<ServingPair | undefined> {
  if (options.certificates !== undefined) return Promise.resolve(options.certificates.current());
  const { config, nodeName, dialect, clock, logger } = options;
  const spell = (text: string): string => dialect.spell(text);
  return openServingPair({ config, host: nodeName, spell, nowMs: clock.nowMs(), logger });
}

async function readAuthorities(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new Error(
    `unable to load client CA file ${file}: data does not contain any valid RSA or ECDSA certificates`,
  );
}

function buildAuthenticator(options: RoutesOptions, signal: AbortSignal): Authenticate {
  const { config, dialect, clock, logger } = options;
  const ttlMs = config.authenticationTokenWebhookCacheTtlMs;
  const tokens = config.authenticationTokenWebhook
    ? createTokenReviews({ client: needClient(options.client, 'tokens'), dialect, clock, signal, ttlMs })
    : undefined;
  return createAuthenticator({
    hasClientAuthority: config.clientCaFile !== '',
    tokens,
    allowsAnonymous: config.anonymousAuth,
    logger,
  });
}

function buildAuthorizer(options: RoutesOptions, signal: AbortSignal): Authorize {
  const { config, dialect, clock } = options;
  if (config.authorizationMode === 'AlwaysAllow') return allowAll;
  return createAccessReviews({
    client: needClient(options.client, 'accesses'),
    dialect,
    clock,
    signal,
    authorizedTtlMs: config.authorizationWebhookCacheAuthorizedTtlMs,
    unauthorizedTtlMs: config.authorizationWebhookCacheUnauthorizedTtlMs,
  });
}

function needClient(client: RestClient | undefined, what: string): RestClient {
  if (client !== undefined) return client;
  throw new Error(
    `no client provided, cannot use webhook to review ${what}: an API server must be configured`,
  );
}

function startReadOnly(options: RoutesOptions): Promise<Listener> {
  const { config } = options;
  const router = agentRouter(options, { isReadOnly: true });
  const serve = createServe({ ...options, router, serverType: 'readonly' });
  return listen({ address: config.address, port: config.readOnlyPort, serve });
}

function startHealthz(options: AgentServersOptions): Promise<Listener> {
  const { healthzBindAddress, healthzPort } = options.config;
  const serve = createServe({ ...options, router: healthRouter(), serverType: 'readonly' });
  return listen({ address: healthzBindAddress, port: healthzPort, serve });
}
