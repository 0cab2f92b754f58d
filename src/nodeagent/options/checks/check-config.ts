import type { CheckContext } from '../check-context.ts';
import type { AgentProblem } from '../problem.ts';
import { checkAccess } from './access.ts';
import { checkBounds } from './bounds.ts';
import { checkEviction } from './eviction.ts';
import { checkGates } from './gates.ts';
import { checkNetwork } from './network.ts';
import { checkNode } from './node.ts';
import { checkProcess } from './process.ts';
import { checkResources } from './resources.ts';
import { checkRuntime } from './runtime.ts';
import { checkTls } from './tls.ts';

const checks: readonly ((context: CheckContext) => readonly AgentProblem[])[] = [
  checkGates,
  checkBounds,
  checkProcess,
  checkResources,
  checkNetwork,
  checkNode,
  checkTls,
  checkAccess,
  checkEviction,
  checkRuntime,
];

/** Everything that is wrong with a configuration, in a steady order. */
export function checkConfig(context: CheckContext): readonly AgentProblem[] {
  return checks.flatMap((check) => check(context));
}
