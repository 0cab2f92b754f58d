/** What a metric is: what it shows, and the names of its labels. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels?: readonly string[] | undefined;
  /** Upper bounds of a histogram's buckets, ascending, without that of all. */
  readonly buckets?: readonly number[] | undefined;
  /** Whether it is shown only once something was counted, as a metric with labels always is. */
  readonly isOptional?: boolean | undefined;
}

/** Media type of the exposition format. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** What a metric shows for some labels. Kept by those who count often: looking it up costs more than counting. */
export class Series {
  readonly labelValues: readonly string[];
  /** Observations up to each bound, not those below the bound before it; the last one has no bound. */
  readonly counts: number[];
  /** Value, or sum of what was observed. */
  value = 0;
  readonly #buckets: readonly number[];

  constructor(labelValues: readonly string[], buckets: readonly number[]) {
    this.labelValues = [...labelValues];
    this.#buckets = buckets;
    this.counts = new Array<number>(buckets.length + 1).fill(0);
  }

  /** Adds to a counter or gauge. */
  add(amount: number): void {
    this.value += amount;
  }

  /** Sets a gauge. */
  set(value: number): void {
    this.value = value;
  }

  /** Begins anew. */
  reset(): void {
    this.value = 0;
    this.counts.fill(0);
  }

  /** Counts a value in a histogram. */
  observe(value: number): void {
    let at = 0;
    while (at < this.#buckets.length && value > (this.#buckets[at] ?? 0)) at++;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.value += value;
  }
}

/** Definitions as a data file has them. */
export type MetricTable = Readonly<
  Record<string, Omit<MetricDefinition, 'type'> & { readonly type: string }>
>;

/** Series of one metric that are kept; label values come from outside in places, and must not fill the memory. */
const maxSeries = 10_000;
const defaultBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Of a metric without labels, which is shown before anything was counted unless it is optional. */
const noLabels: readonly string[] = [];

/**
 * Counters, gauges and histograms by name, and their text in the exposition format 0.0.4. Label values are given in the
 * order of the definition.
 */
export class MetricRegistry {
  readonly #metrics = new Map<string, Metric>();
  readonly #collectors: (() => void)[] = [];
  readonly #showsEmpty: boolean;

  /** `showsEmpty`: metrics that nothing was counted for yet are named all the same. */
  constructor({ showsEmpty = false }: { readonly showsEmpty?: boolean } = {}) {
    this.#showsEmpty = showsEmpty;
  }

  /** @throws RangeError for a name that is taken */
  define(name: string, definition: MetricDefinition): void {
    if (this.#metrics.has(name)) throw new RangeError(`metric ${name} is defined already`);
    this.#metrics.set(name, new Metric(name, definition));
  }

  /**
   * What a metric shows for some labels; of a metric with too many of them, one that is shown nowhere.
   *
   * @throws RangeError for a metric that is not defined, or when labels are missing
   */
  series(name: string, labelValues: readonly string[] = noLabels): Series {
    return this.#metric(name).series(labelValues);
  }

  /** Adds to a counter or gauge. */
  add(name: string, amount: number, labelValues: readonly string[] = noLabels): void {
    this.series(name, labelValues).add(amount);
  }

  /** Sets a gauge. */
  set(name: string, value: number, labelValues: readonly string[] = noLabels): void {
    this.series(name, labelValues).set(value);
  }

  /** Counts a value in a histogram. */
  observe(name: string, value: number, labelValues: readonly string[] = noLabels): void {
    this.series(name, labelValues).observe(value);
  }

  /** Forgets what a metric shows for these labels, or all that it shows. */
  clear(name: string, labelValues?: readonly string[]): void {
    this.#metric(name).clear(labelValues);
  }

  /** Counts anew all that was counted by labels. What metrics without labels and gauges show stays. */
  reset(): void {
    for (const metric of this.#metrics.values()) metric.reset();
  }

  /** Calls `collector` before each text, for values that are looked up only then. */
  onCollect(collector: () => void): void {
    this.#collectors.push(collector);
  }

  /** All metrics, sorted by name. */
  text(): string {
    for (const collect of this.#collectors) collect();
    return [...this.#metrics.keys()]
      .sort()
      .map((name) => this.#metric(name).text({ showsEmpty: this.#showsEmpty }))
      .join('');
  }

  #metric(name: string): Metric {
    const metric = this.#metrics.get(name);
    if (metric === undefined) throw new RangeError(`there is no metric ${name}`);
    return metric;
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
    if (this.#labels.length === 0 && definition.isOptional !== true) this.series(noLabels);
  }

  /** @throws RangeError when labels are missing */
  series(labelValues: readonly string[]): Series {
    if (labelValues.length !== this.#labels.length) {
      throw new RangeError(`metric ${this.#name} has the labels ${this.#labels.join(', ')}`);
    }
    const key = labelValues.join('\0');
    let series = this.#series.get(key);
    if (series === undefined) {
      series = new Series(labelValues, this.buckets);
      if (this.#series.size < maxSeries) this.#series.set(key, series);
    }
    return series;
  }

  clear(labelValues: readonly string[] | undefined): void {
    if (labelValues === undefined) this.#series.clear();
    else this.#series.delete(labelValues.join('\0'));
  }

  reset(): void {
    if (this.#labels.length === 0 || this.#definition.type === 'gauge') return;
    for (const series of this.#series.values()) series.reset();
  }

  text({ showsEmpty }: { readonly showsEmpty: boolean }): string {
    if (this.#series.size === 0 && !showsEmpty) return '';
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

/** Definitions of a data file. @throws RangeError for a type that is none */
export function readMetricTable(table: MetricTable): ReadonlyMap<string, MetricDefinition> {
  return new Map(
    Object.entries(table).map(([name, entry]) => [name, { ...entry, type: readType(entry.type) }]),
  );
}

function readType(type: string): MetricDefinition['type'] {
  if (type === 'counter' || type === 'gauge' || type === 'histogram') return type;
  throw new RangeError(`there are no metrics of type ${type}`);
}
