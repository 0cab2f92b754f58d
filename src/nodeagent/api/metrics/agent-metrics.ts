import { platformName } from '../../../base/index.ts';
import { releaseInfo } from '../../../machinery/api-release.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { MetricRegistry, readMetricTable, showProcess } from '../../../net/metrics/index.ts';

import table from './agent-metrics.json' with { type: 'json' };

/** Names of the agent's metrics, in the orch spelling. */
export type AgentMetricName = keyof typeof table;

/** The agent's metrics, to be filled in by all its parts. Label values come in the order of `agent-metrics.json`. */
export interface AgentMetrics {
  /** Adds to a counter or gauge. */
  add(name: AgentMetricName, amount: number, labelValues?: readonly string[]): void;
  /** Sets a gauge. */
  set(name: AgentMetricName, value: number, labelValues?: readonly string[]): void;
  /** Counts a value in a histogram. */
  observe(name: AgentMetricName, value: number, labelValues?: readonly string[]): void;
  /** Removes all values of a metric before it is filled again. */
  clear(name: AgentMetricName): void;
  /** Calls `collector` before the metrics are shown, for values that are read only then. */
  onCollect(collector: () => void): void;
  /** What `/metrics` shows. */
  text(): string;
  /** What `/metrics/probes` shows. */
  readonly probes: MetricRegistry;
}

/** Whose metrics they are. */
export interface AgentMetricsOptions {
  readonly nodeName: string;
  readonly dialect: Dialect;
  /** When the program started. */
  readonly startedAtMs: number;
}

/** Makes the metrics of one agent. */
export function createAgentMetrics({ nodeName, dialect, startedAtMs }: AgentMetricsOptions): AgentMetrics {
  const registry = new MetricRegistry();
  const probes = new MetricRegistry();
  const spelled = new Map<string, string>();
  const definitions = readMetricTable(table);
  for (const [name, { labels, ...rest }] of definitions) {
    spelled.set(name, dialect.spell(name));
    registry.define(dialect.spell(name), { ...rest, labels: labels?.map(dialect.spell) });
  }
  const spell = (name: AgentMetricName): string => spelled.get(name) ?? name;
  const start = 'process_start_time_seconds';
  const startDefinition = definitions.get(start);
  if (startDefinition !== undefined) probes.define(start, startDefinition);
  probes.set(start, startedAtMs / 1000);
  registry.set(start, startedAtMs / 1000);
  registry.set(spell('nodeagent_node_name'), 1, [nodeName]);
  registry.set(spell('orch_build_info'), 1, Object.values(releaseInfo(dialect, platformName())));
  registry.set('rest_client_exec_plugin_ttl_seconds', Number.POSITIVE_INFINITY); // there is no such plugin
  registry.onCollect(() => showProcess(registry));
  return {
    add: (name, amount, labelValues) => registry.add(spell(name), amount, labelValues),
    set: (name, value, labelValues) => registry.set(spell(name), value, labelValues),
    observe: (name, value, labelValues) => registry.observe(spell(name), value, labelValues),
    clear: (name) => registry.clear(spell(name)),
    onCollect: (collector) => registry.onCollect(collector),
    text: () => registry.text(),
    probes,
  };
}
