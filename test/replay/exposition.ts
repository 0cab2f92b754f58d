import { differences } from './matching.ts';

/** Types and labels of metrics by name. */
export type RecordedMetrics = Readonly<Record<string, Metric>>;

interface Metric {
  readonly type: string;
  readonly labels: readonly string[];
}

/** Others belong to the language that an agent is written in. */
const ownNames = /^(nodeagent_|container_|machine_|node_|pod_|prober_|rest_client_|storage_|volume_)/;
/** Labels of single lines of a metric. */
const lineLabels = new Set(['le', 'quantile']);

/** Gives what of the agent's own metrics is not as recorded: which there are, their types and labels. */
export function compareMetrics(recorded: RecordedMetrics, text: string): readonly string[] {
  const own = ([name]: readonly [string, unknown]): boolean => ownNames.test(name);
  const expected = Object.fromEntries(Object.entries(recorded).filter(own));
  const shown = Object.fromEntries([...readMetrics(text)].filter(own));
  return differences(expected, shown, [], '/metrics');
}

/** Reads the text format of Prometheus. */
function readMetrics(text: string): ReadonlyMap<string, Metric> {
  const found = new Map<string, { readonly type: string; readonly labels: Set<string> }>();
  for (const line of text.split('\n')) {
    const [, declared, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (declared !== undefined && type !== undefined) found.set(declared, { type, labels: new Set() });
    const [, name, list = ''] = /^([^#{\s]+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const { labels } = found.get(name) ?? found.get(name.replace(/_(bucket|sum|count)$/, '')) ?? {};
    for (const [, label = ''] of list.matchAll(/([\w-]+)="/g)) if (!lineLabels.has(label)) labels?.add(label);
  }
  return new Map([...found].map(([name, { type, labels }]) => [name, { type, labels: [...labels].sort() }]));
}
