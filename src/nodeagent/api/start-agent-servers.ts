import { HttpListener, type ListenerOptions } from '../../net/http/index.ts';
import type { AgentServers, AgentServersOptions } from './agent-servers.ts';
import { buildGuard } from './auth/build-guard.ts';
import { createServe } from './http/serve.ts';
import { agentRouter, healthRouter, type RoutesOptions } from './routes.ts';
import { createAgentStats } from './stats/agent-stats.ts';
import { openTlsMaterial } from './tls/tls-material.ts';

/** Clients of agents keep unused connections for shorter. */
const limits = { keepAliveTimeoutMs: 90_000 };

/**
 * Starts every server that the configuration asks for, with what they need of files and certificates.
 *
 * @throws Error when a port cannot be had, a certificate cannot be read, or nobody could get in
 */
export async function startAgentServers(options: AgentServersOptions): Promise<AgentServers> {
  const { config } = options;
  const stopping = new AbortController();
  const open: HttpListener[] = [];
  const close = async (): Promise<void> => {
    stopping.abort(new Error('the servers are stopping'));
    await Promise.all(open.splice(0).map((listener) => listener[Symbol.asyncDispose]()));
  };
  const start = async (listener: HttpListener): Promise<number> => {
    const port = await listener.listen();
    open.push(listener);
    return port;
  };
  try {
    const routes: RoutesOptions = { ...options, stats: createAgentStats(options) };
    const hasReadOnly = config.enableServer && config.readOnlyPort > 0;
    return {
      securePort: config.enableServer
        ? await start(await secureListener(routes, stopping.signal))
        : undefined,
      readOnlyPort: hasReadOnly ? await start(readOnlyListener(routes)) : undefined,
      healthzPort: config.healthzPort > 0 ? await start(healthzListener(options)) : undefined,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function secureListener(options: RoutesOptions, signal: AbortSignal): Promise<HttpListener> {
  const { config } = options;
  const guard = buildGuard(options, signal);
  const tls = await openTlsMaterial(options);
  const router = agentRouter(options, { isReadOnly: false });
  const listener = new HttpListener({
    address: config.address,
    port: config.port,
    tls: { context: tls.context(), asksForCertificate: tls.asksForCertificate, http2: {} },
    serve: createServe({ ...options, router, guard, serverType: 'readwrite' }),
    ...common(options),
  });
  tls.follow((context) => listener.setTls(context), signal);
  return listener;
}

function readOnlyListener(options: RoutesOptions): HttpListener {
  const { config } = options;
  const router = agentRouter(options, { isReadOnly: true });
  const serve = createServe({ ...options, router, serverType: 'readonly' });
  return new HttpListener({ address: config.address, port: config.readOnlyPort, serve, ...common(options) });
}

function healthzListener(options: AgentServersOptions): HttpListener {
  const { healthzBindAddress, healthzPort } = options.config;
  const serve = createServe({ ...options, router: healthRouter(), serverType: 'readonly' });
  return new HttpListener({ address: healthzBindAddress, port: healthzPort, serve, ...common(options) });
}

function common({
  logger,
}: Pick<AgentServersOptions, 'logger'>): Pick<ListenerOptions, 'limits' | 'onError'> {
  return {
    limits,
    onError: (error, { request }) =>
      logger.error('request failed without a response', { method: request.method, error }),
  };
}
