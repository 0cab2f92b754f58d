import { type AgentServers, type ServingPairSource, startAgentServers } from '../../nodeagent/api/index.ts';
import { createAgentView } from '../../nodeagent/lifecycle/index.ts';
import { configz } from '../../nodeagent/options/index.ts';
import type { SubmittedPods } from '../../nodeagent/sources/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentPods } from './agent-pods.ts';

interface ServersInputs {
  readonly pods: Pick<AgentPods, 'table' | 'views' | 'relist' | 'volumes'>;
  readonly submitted: SubmittedPods;
  readonly certificates: ServingPairSource | undefined;
}

/** Opens the agent's own servers; none in a single run. @throws Error when a port cannot be had */
export async function openServers(
  base: AgentBase,
  { pods, submitted, certificates }: ServersInputs,
): Promise<AgentServers | undefined> {
  const { config, dialect, clock, logger, driver, clients, metrics, nodeName, setVerbosity } = base;
  if (config.runOnce) return undefined; // nobody has the time to ask
  return startAgentServers({
    config,
    nodeName,
    view: createAgentView({ ...pods, dialect }),
    ...driver,
    metrics,
    configz: () => configz(config, dialect),
    client: clients?.main,
    certificates,
    submitted,
    volumes: pods.volumes,
    commandLine: process.argv,
    setVerbosity,
    checkLog() {
      if (config.logToStderr && !process.stderr.writable)
        throw new Error('standard error, where the log goes, is closed');
    },
    dialect,
    clock,
    logger,
  });
}
