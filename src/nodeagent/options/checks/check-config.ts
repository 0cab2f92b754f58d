import { formatDurationMs } from '../../../machinery/go-values/index.ts';
import type { CheckContext } from '../check-context.ts';
import { type EvictionTexts, readEvictionThresholds } from '../eviction.ts';
import type { AgentProblem } from '../problem.ts';
import { checkBounds } from './bounds.ts';
import { checkGates } from './gates.ts';
import { checkNetwork } from './network.ts';
import { checkNode } from './node.ts';
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

/** Options about the process itself: its folder, lock file, one single run, shutdown of the node, metrics. */
function checkProcess({ values }: CheckContext): AgentProblem[] {
  const problems: AgentProblem[] = [];
  if (values.rootDir === '') problems.push(createProblem('invalid root directory ""', '--root-dir'));
  if (values.exitOnLockContention && values.lockFile === '') {
    problems.push(
      runProblem(
        'cannot exit on lock file contention: no lock file specified',
        '--exit-on-lock-contention',
        '--lock-file',
      ),
    );
  }
  if (values.runOnce && values.enableServer) {
    problems.push({
      ...configurationProblem('runOnce (--runonce) is exclusive with enableServer (--enable-server)'),
      advice: 'give --enable-server=false, or leave one of them out',
    });
  }
  if (values.showHiddenMetricsForVersion !== '' && values.showHiddenMetricsForVersion !== '1.19') {
    problems.push({
      text: "--show-hidden-metrics-for-version must be omitted or have the value '1.19'. Only the previous minor version is allowed",
      names: ['showHiddenMetricsForVersion'],
    });
  }
  return [...problems, ...checkShutdown(values)];
}

function checkShutdown({
  shutdownGracePeriodMs: all,
  shutdownGracePeriodCriticalPodsMs: critical,
}: CheckContext['values']): AgentProblem[] {
  const problems: AgentProblem[] = [];
  const check = (isWrong: boolean, text: string) => {
    if (isWrong)
      problems.push(configurationProblem(text, 'shutdownGracePeriod', 'shutdownGracePeriodCriticalPods'));
  };
  const [whole, part] = [formatDurationMs(all), formatDurationMs(critical)];
  const isShort = (periodMs: number) => periodMs < 0 || (periodMs > 0 && periodMs < 1000);
  check(
    critical > all,
    `ShutdownGracePeriodCriticalPods {${part}} must be <= ShutdownGracePeriod {${whole}}`,
  );
  check(isShort(all), `ShutdownGracePeriod {${whole}} must be either zero or otherwise >= 1 sec`);
  check(
    isShort(critical),
    `ShutdownGracePeriodCriticalPods {${part}} must be either zero or otherwise >= 1 sec`,
  );
  return problems;
}
