import { formatLabels, formatValue, metricHead } from '../../../net/metrics/index.ts';
import table from './container-metrics.json' with { type: 'json' };

/** Names of the metrics of containers and the machine. */
export type ContainerMetricName = keyof typeof table;

/** Labels by name. */
export type Labels = Readonly<Record<string, string>>;

/** Values of metrics as they are gathered; those of one metric stand together in the text. */
export class MetricFamilies {
  readonly #lines = new Map<ContainerMetricName, string[]>();

  /** Adds a value; without a time it is that of the scrape. */
  add(name: ContainerMetricName, labels: Labels, value: number | undefined, atMs?: number): void {
    if (value === undefined) return;
    let lines = this.#lines.get(name);
    if (lines === undefined) {
      lines = [];
      this.#lines.set(name, lines);
    }
    const names = Object.keys(labels).sort();
    const text = formatLabels(
      names,
      names.map((label) => labels[label] ?? ''),
    );
    const braces = text === '' ? '' : `{${text}}`;
    const time = atMs === undefined ? '' : ` ${Math.round(atMs)}`;
    lines.push(`${name}${braces} ${formatValue(value)}${time}\n`);
  }

  /** All metrics that have values, by name. */
  text(): string {
    return [...this.#lines]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, lines]) => {
        const [type = '', help = ''] = table[name];
        // The data file has these two types only.
        return metricHead(name, { type: type as 'counter' | 'gauge', help }) + lines.join('');
      })
      .join('');
  }
}
