/** What a metric is: what it shows, and the names of its labels. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels?: readonly string[] | undefined;
  /** Upper bounds of a histogram's buckets, ascending, without that of all. */
  readonly buckets?: readonly number[] | undefined;
}

interface Series {
  readonly labelValues: readonly string[];
  /** Value, or sum of what was observed. */
  value: number;
  /** Observations up to each bound, and all of them. */
  readonly counts: number[];
}

/** Series of one metric that are kept; label values come from outside in places, and must not fill the memory. */
const maxSeries = 10_000;
const defaultBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metric without labels: it is shown before anything was counted. */
const noLabels: readonly string[] = [];

/**
 * Counters, gauges and histograms by name, and their text in the exposition format 0.0.4. Far smaller than a library for
 * it; label values are given in the order of the definition.
 */
export class MetricRegistry {
  readonly #metrics = new Map<string, Metric>();
  readonly #collectors: (() => void)[] = [];

  /** @throws RangeError for a name that is taken */
  define(name: string, definition: MetricDefinition): void {
    if (this.#metrics.has(name)) throw new RangeError(`metric ${name} is defined already`);
    this.#metrics.set(name, new Metric(name, definition));
  }

  /** Adds to a counter or gauge. */
  add(name: string, amount: number, labelValues: readonly string[] = noLabels): void {
    const series = this.#series(name, labelValues);
    if (series !== undefined) series.value += amount;
  }

  /** Sets a gauge. */
  set(name: string, value: number, labelValues: readonly string[] = noLabels): void {
    const series = this.#series(name, labelValues);
    if (series !== undefined) series.value = value;
  }

  /** Counts a value in a histogram. */
  observe(name: string, value: number, labelValues: readonly string[] = noLabels): void {
    const metric = this.#metric(name);
    const series = metric.series(labelValues);
    if (series === undefined) return;
    const index = metric.buckets.findIndex((bound) => value <= bound);
    const at = index < 0 ? metric.buckets.length : index;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.value += value;
  }

  /** Forgets what a metric shows for these labels, or all that it shows. */
  clear(name: string, labelValues?: readonly string[]): void {
    this.#metric(name).clear(labelValues);
  }

  /** Calls `collector` before each text, for values that are looked up only then. */
  onCollect(collector: () => void): void {
    this.#collectors.push(collector);
  }

  /** All metrics that have something to show, sorted by name. */
  text(): string {
    for (const collect of this.#collectors) collect();
    return [...this.#metrics.keys()]
      .sort()
      .map((name) => this.#metric(name).text())
      .join('');
  }

  #metric(name: string): Metric {
    const metric = this.#metrics.get(name);
    if (metric === undefined) throw new RangeError(`there is no metric ${name}`);
    return metric;
  }

  #series(name: string, labelValues: readonly string[]): Series | undefined {
    return this.#metric(name).series(labelValues);
  }
}

class Metric {
  readonly buckets: readonly number[];
  readonly #name: string;
  readonly #definition: MetricDefinition;
  readonly #labels: readonly string[];
  readonly #series = new Map<string, Series>();

  constructor(name: string, definition: MetricDefinition) {
    this.#name = name;
    this.#definition = definition;
    this.#labels = definition.labels ?? noLabels;
    this.buckets = definition.type === 'histogram' ? (definition.buckets ?? defaultBuckets) : [];
    if (this.#labels.length === 0) this.series(noLabels);
  }

  /** Undefined when there are too many already. @throws RangeError when labels are missing */
  series(labelValues: readonly string[]): Series | undefined {
    if (labelValues.length !== this.#labels.length) {
      throw new RangeError(`metric ${this.#name} has the labels ${this.#labels.join(', ')}`);
    }
    const key = labelValues.join('\0');
    let series = this.#series.get(key);
    if (series === undefined && this.#series.size < maxSeries) {
      const isHistogram = this.#definition.type === 'histogram';
      const counts = isHistogram ? new Array<number>(this.buckets.length + 1).fill(0) : [];
      series = { labelValues: [...labelValues], value: 0, counts };
      this.#series.set(key, series);
    }
    return series;
  }

  clear(labelValues: readonly string[] | undefined): void {
    if (labelValues === undefined) this.#series.clear();
    else this.#series.delete(labelValues.join('\0'));
  }

  text(): string {
    if (this.#series.size === 0) return '';
    const lines = [metricHead(this.#name, this.#definition)];
    for (const series of this.#series.values()) {
      const labels = formatLabels(this.#labels, series.labelValues);
      if (this.#definition.type === 'histogram') this.#writeHistogram(lines, labels, series);
      else lines.push(`${this.#name}${braced(labels)} ${formatValue(series.value)}\n`);
    }
    return lines.join('');
  }

  #writeHistogram(lines: string[], labels: string, { counts, value }: Series): void {
    const comma = labels === '' ? '' : ',';
    let total = 0;
    for (const [index, count] of counts.entries()) {
      total += count;
      const bound = this.buckets[index];
      const le = bound === undefined ? '+Inf' : formatValue(bound);
      lines.push(`${this.#name}_bucket{${labels}${comma}le="${le}"} ${total}\n`);
    }
    lines.push(`${this.#name}_sum${braced(labels)} ${formatValue(value)}\n`);
    lines.push(`${this.#name}_count${braced(labels)} ${total}\n`);
  }
}

/** The two lines that open a metric's text. */
export function metricHead(name: string, { type, help }: Pick<MetricDefinition, 'type' | 'help'>): string {
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
}

/** Labels as they stand between braces; values are escaped. */
export function formatLabels(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`).join(',');
}

function escapeLabel(value: string): string {
  return /["\\\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value;
}

const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

/** A number as the format has it. */
export function formatValue(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
