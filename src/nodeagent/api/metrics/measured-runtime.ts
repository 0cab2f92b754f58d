import type { Clock } from '../../../base/index.ts';
import type { ImageService, RuntimeService } from '../../runtime/index.ts';
import type { AgentMetrics } from './agent-metrics.ts';
import operations from './runtime-operations.json' with { type: 'json' };

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** The same runtime, each of its calls counted and timed. */
export function measureRuntime<T extends RuntimeService | ImageService>(
  service: T,
  metrics: AgentMetrics,
  clock: Clock,
): T {
  const names: Readonly<Record<string, string>> = operations;
  const methods = service as unknown as Readonly<Record<string, Call | undefined>>; // every member is a call
  const measured: Record<string, Call> = {};
  for (const [method, operation] of Object.entries(names)) {
    const call = methods[method];
    if (call === undefined) continue;
    measured[method] = measureCall(call.bind(service), operation, metrics, clock);
  }
  return measured as unknown as T; // the same methods, wrapped
}

function measureCall(call: Call, operation: string, metrics: AgentMetrics, clock: Clock): Call {
  const labels = [operation];
  return async (...args) => {
    const startMs = clock.nowMs();
    metrics.add('nodeagent_runtime_operations_total', 1, labels);
    let hasFailed = true;
    try {
      const answer = await call(...args);
      hasFailed = false;
      return answer;
    } finally {
      const seconds = (clock.nowMs() - startMs) / 1000;
      metrics.observe('nodeagent_runtime_operations_duration_seconds', seconds, labels);
      if (hasFailed) metrics.add('nodeagent_runtime_operations_errors_total', 1, labels);
      if (operation === 'run_podsandbox') countSandbox(args, metrics, { seconds, hasFailed });
    }
  };
}

/** Sandboxes are counted by what runs them too. */
function countSandbox(
  args: readonly unknown[],
  metrics: AgentMetrics,
  { seconds, hasFailed }: { readonly seconds: number; readonly hasFailed: boolean },
): void {
  const [options] = args as Parameters<RuntimeService['runPodSandbox']>; // that is the call
  const labels = [options.runtimeHandler ?? ''];
  metrics.observe('nodeagent_run_podsandbox_duration_seconds', seconds, labels);
  if (hasFailed) metrics.add('nodeagent_run_podsandbox_errors_total', 1, labels);
}
