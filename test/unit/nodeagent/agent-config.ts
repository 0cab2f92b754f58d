import { createDialect } from '../../../src/machinery/dialect.ts';
import { type AgentConfig, readAgentRequest } from '../../../src/nodeagent/options/index.ts';

/** The configuration of an agent that was started with these flags, by default without an API server. */
export function agentConfig(flags: readonly string[] = []): AgentConfig {
  const base = [
    '--fail-swap-on=false',
    '--container-runtime=remote',
    '--container-runtime-endpoint=unix:///r',
  ];
  const request = readAgentRequest({
    argv: [...base, ...flags],
    readFile: (path) => {
      throw new Error(`no file ${path}`);
    },
    workingDirectory: '/',
  });
  if (request.kind !== 'run') throw new TypeError(`not a configuration to run: ${request.kind}`);
  return request.config;
}

/** The other spelling of product names. */
export const otherDialect = createDialect('kubernetes');
