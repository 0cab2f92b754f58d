import { formatDurationMs } from '../../../machinery/go-values/index.ts';
import type { CheckContext } from '../check-context.ts';
import type { AgentProblem } from '../problem.ts';
import { configurationProblem, runProblem } from './sentence.ts';

/** Options about the process itself: lock file, one single run, shutdown of the node, metrics. */
export function checkProcess({ values }: CheckContext): AgentProblem[] {
  const problems: AgentProblem[] = [];
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
