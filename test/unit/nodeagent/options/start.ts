import {
  AgentOptionsError,
  type AgentProblem,
  type AgentRequest,
  readAgentRequest,
} from '../../../../src/nodeagent/options/index.ts';

/** What came of a command line: a request, or what is wrong. */
export interface Started {
  readonly request?: AgentRequest;
  readonly problems: readonly AgentProblem[];
}

/** Reads a command line; `--config=/etc/agent.yaml` has the text of `file`. */
export function start(argv: readonly string[], file?: string): Started {
  const readFile = (path: string): Buffer => {
    if (file === undefined || path !== '/etc/agent.yaml')
      throw new Error(`open ${path}: no such file or directory`);
    return Buffer.from(file);
  };
  try {
    return { request: readAgentRequest({ argv, readFile, workingDirectory: '/etc' }), problems: [] };
  } catch (error) {
    if (error instanceof AgentOptionsError) return { problems: error.problems };
    throw error;
  }
}

/** The request of a command line that must be right. */
export function load(argv: readonly string[], file?: string) {
  const { request, problems } = start(argv, file);
  if (request?.kind !== 'run' && request?.kind !== 'print-config') {
    throw new Error(`does not run: ${problems.map(({ text }) => text).join('; ')}`);
  }
  return request;
}

/** Head of every configuration file. */
export const fileHead = 'kind: NodeAgentConfiguration\napiVersion: nodeagent.config.orch.io/v1beta1\n';

/** A file that runs without an API server. */
export const openFile = `${fileHead}authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}\nauthorization: {mode: AlwaysAllow}\n`;
