/**
 * Metrics of the server and of the agent: counters, gauges and histograms, and their text in the exposition format. What
 * is counted is for others.
 */
export {
  formatLabels,
  formatValue,
  type MetricDefinition,
  MetricRegistry,
  metricHead,
  metricsContentType,
  readMetricTable,
  type Series,
} from './metric-registry.ts';
export { showProcess } from './process-metrics.ts';
