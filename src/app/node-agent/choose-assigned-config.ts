import { resolve } from 'node:path';
import { errorText } from '../../base/index.ts';
import {
  CheckpointStore,
  chooseConfig,
  configStatus,
  type LoadedCheckpoint,
} from '../../nodeagent/dynamic-config/index.ts';
import {
  type AgentConfigSources,
  AgentOptionsError,
  checkStart,
  formatProblem,
  type LoadedAgentConfig,
  readAgentRequest,
  type StartProbe,
} from '../../nodeagent/options/index.ts';
import type { DynamicConfigStart } from './dynamic-config-start.ts';

/**
 * The configuration that was assigned to the agent, or the one that takes its place: the last that was known to be good,
 * or `local`. Flags count more than each of them.
 *
 * @throws AgentOptionsError when the folder cannot be used
 */
export async function chooseAssignedConfig(
  local: LoadedAgentConfig,
  sources: AgentConfigSources & StartProbe,
): Promise<LoadedAgentConfig & { readonly dynamicConfig: DynamicConfigStart }> {
  const { dialect, config } = local;
  const folder = resolve(sources.workingDirectory, config.dynamicConfigDir);
  const store = new CheckpointStore(folder, dialect);
  const load = (path: string) => loadAssigned(path, sources);
  const chosen = await chooseConfig({ store, load, dialect }).catch((cause: unknown) => {
    const why = errorText(cause);
    const text = `failed to use the folder of downloaded configurations ${folder}: ${why}`;
    throw new AgentOptionsError([{ text, names: ['--dynamic-config-dir'] }], local);
  });
  const { state, complaints } = chosen;
  const status = configStatus(state, dialect);
  return { ...(chosen.config ?? local), dynamicConfig: { store, state, status, complaints } };
}

/** A configuration that does not start on this machine is as bad as a wrong one: nobody could give the node a better. */
async function loadAssigned(
  assignedFile: string,
  sources: AgentConfigSources & StartProbe,
): Promise<LoadedCheckpoint<LoadedAgentConfig>> {
  try {
    const request = readAgentRequest({ ...sources, assignedFile });
    if (request.kind === 'help' || request.kind === 'version') throw new TypeError('not a configuration');
    const problems = await checkStart(request.config, sources, request.dialect);
    if (problems.length === 0) return { kind: 'loaded', config: request };
    return { kind: 'refused', failure: 'validate', detail: problems.map(formatProblem).join('; ') };
  } catch (error) {
    if (!(error instanceof AgentOptionsError)) throw error;
    const failure = error.problems.some(({ isFile }) => isFile) ? 'load' : 'validate';
    const detail = error.problems.map(({ text }) => text).join('; ');
    return { kind: 'refused', failure, detail };
  }
}
