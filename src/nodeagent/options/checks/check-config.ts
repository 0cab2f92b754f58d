import type { CheckContext } from '../check-context.ts';
import { type EvictionTexts, readEvictionThresholds } from '../eviction.ts';
import type { AgentProblem } from '../problem.ts';
import { checkBounds } from './bounds.ts';
import { checkGates } from './gates.ts';
import { checkNetwork } from './network.ts';
import { checkNode } from './node.ts';
import { checkProcess } from './process.ts';
import { checkResources } from './resources.ts';
import { checkRuntime } from './runtime.ts';
import { configurationProblem, createProblem, runProblem } from './sentence.ts';
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

/** Who may ask the agent's server: what needs an API server cannot be had without one. */
function checkAccess({ values }: CheckContext): AgentProblem[] {
  const isStandalone = values.orchconfigPath === '' && values.bootstrapOrchconfigPath === '';
  if (!isStandalone) return [];
  const problems: AgentProblem[] = [];
  if (values.authenticationTokenWebhook) {
    problems.push({
      ...runProblem(
        'no client provided, cannot use webhook authentication',
        '--authentication-token-webhook',
      ),
      advice: 'give --orchconfig, or set authentication.webhook.enabled to false',
    });
  }
  if (values.authorizationMode === 'Webhook') {
    problems.push({
      ...runProblem('no client provided, cannot use webhook authorization', '--authorization-mode'),
      advice: 'give --orchconfig, or set authorization.mode to AlwaysAllow',
    });
  }
  return problems;
}

const flags: Readonly<Record<keyof EvictionTexts, string>> = {
  evictionHard: '--eviction-hard',
  evictionSoft: '--eviction-soft',
  evictionSoftGracePeriod: '--eviction-soft-grace-period',
  evictionMinimumReclaim: '--eviction-minimum-reclaim',
};

/** The thresholds of pods and images. */
function checkEviction({ values }: CheckContext): AgentProblem[] {
  const { imageGcLowThresholdPercent: low, imageGcHighThresholdPercent: high } = values;
  const images =
    low < high
      ? []
      : [
          configurationProblem(
            `imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) ${high}`,
          ),
        ];
  const pods = readEvictionThresholds(values).problems.map(({ option, text }) =>
    option === 'evictionHard' ? runProblem(text, flags[option]) : createProblem(text, flags[option]),
  );
  return [...images, ...pods];
}
