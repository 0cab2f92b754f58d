import type { AgentProblem } from '../problem.ts';

/** A problem between values, as release 1.20's check of the whole configuration words it. */
export function configurationProblem(text: string, ...names: readonly string[]): AgentProblem {
  return { text: `invalid configuration: ${text}`, names };
}

/** A problem that release 1.20 meets when it begins to run. */
export function runProblem(text: string, ...names: readonly string[]): AgentProblem {
  return { text: `failed to run NodeAgent: ${text}`, names };
}

/** A problem that release 1.20 meets when it puts the agent together. */
export function createProblem(text: string, ...names: readonly string[]): AgentProblem {
  return runProblem(`failed to create nodeagent: ${text}`, ...names);
}

/** A problem with something that is only told to an API server. */
export function forServerOnly(problem: AgentProblem): AgentProblem {
  return { ...problem, isForServerOnly: true };
}
