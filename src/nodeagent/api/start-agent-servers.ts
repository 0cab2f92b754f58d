import type { AgentServers, AgentServersOptions } from './agent-servers.ts';
import { buildGuard } from './auth/build-guard.ts';
import { type Listener, listen, listenSecurely, type SecureListener } from './http/listener.ts';
import { createServe } from './http/serve.ts';
import { agentRouter, healthRouter, type RoutesOptions } from './routes.ts';
import { createAgentStats } from './stats/agent-stats.ts';
import { openTlsMaterial } from './tls/tls-material.ts';

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
    await Promise.all(open.splice(0).map((listener) => listener[Symbol.asyncDispose]()));
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
  const { config } = options;
  const guard = buildGuard(options, signal);
  const tls = await openTlsMaterial(options);
  const router = agentRouter(options, { isReadOnly: false });
  const listener = await listenSecurely({
    address: config.address,
    port: config.port,
    serve: createServe({ ...options, router, guard, serverType: 'readwrite' }),
    tls: tls.context(),
    asksForCertificate: tls.asksForCertificate,
  });
  tls.follow((context) => listener.setTls(context), signal);
  return listener;
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
