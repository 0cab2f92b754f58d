import { type AgentServers, type ServingPairSource, startAgentServers } from '../../nodeagent/api/index.ts';
import { createAgentView, type LifecycleParts } from '../../nodeagent/lifecycle/index.ts';
import { configz } from '../../nodeagent/options/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentLinks } from './agent-links.ts';
import type { PodLoop } from './pod-loop.ts';

interface ServersInputs {
  readonly loop: PodLoop;
  readonly links: AgentLinks;
  readonly certificates: ServingPairSource | undefined;
}

/** Opens the agent's own servers; none in a single run. @throws Error when a port cannot be had */
export async function openServers(
  base: AgentBase,
  { volumes }: LifecycleParts,
  { loop, links, certificates }: ServersInputs,
): Promise<AgentServers | undefined> {
  const { config, dialect, clock, logger, driver, clients, metrics, nodeName, setVerbosity } = base;
  if (config.runOnce) return undefined; // nobody has the time to ask
  return startAgentServers({
    config,
    nodeName,
    view: createAgentView({ ...loop, dialect }),
    ...driver,
    metrics,
    configz: () => configz(config, dialect),
    client: clients?.main,
    certificates,
    submitted: links.sources?.submitted,
    volumes,
    commandLine: process.argv,
    setVerbosity,
    dialect,
    clock,
    logger,
  });
}
