import type { Dialect } from '../../machinery/dialect.ts';

/** Names of what the driver writes on the engine's containers beside labels of the caller. */
export interface OwnLabels {
  /** `podsandbox` or `container`. */
  readonly type: string;
  /** Of containers: id of their sandbox. */
  readonly sandboxId: string;
  /** Of containers: path of the log file. */
  readonly logPath: string;
  /** Milliseconds; the engine's lists know whole seconds only. */
  readonly createdAt: string;
}

/**
 * Value of the label that tells sandboxes from containers; containers without the label are not the driver's.
 */
export type OwnType = 'podsandbox' | 'container';

type Texts = Readonly<Record<string, string>>;

/** The engine has no annotations: they are stored as labels with this prefix. */
const annotationPrefix = 'annotation.';

/** The names in a dialect: its domain reversed, followed by the label's purpose. */
export function ownLabels(dialect: Dialect): OwnLabels {
  const [domain = ''] = dialect.label('').split('/');
  const prefix = domain.split('.').reverse().join('.');
  return {
    type: `${prefix}.${dialect.spell('legacyrt')}.type`,
    sandboxId: `${prefix}.sandbox.id`,
    logPath: `${prefix}.container.logpath`,
    createdAt: `${prefix}.created.ms`,
  };
}

/** Labels of one of the engine's containers: those of the caller, the annotations, and the driver's own. */
export function writeLabels(
  labels: Texts = {},
  annotations: Texts = {},
  own: Texts = {},
): Record<string, string> {
  const written: Record<string, string> = { ...labels };
  for (const [name, value] of Object.entries(annotations)) written[annotationPrefix + name] = value;
  return { ...written, ...own };
}

/** The inverse of `writeLabels`; the driver's own are left out. */
export function readLabels(all: Texts | null, own: OwnLabels) {
  const hidden: ReadonlySet<string> = new Set(Object.values(own));
  const labels: Record<string, string> = {};
  const annotations: Record<string, string> = {};
  for (const [name, value] of Object.entries(all ?? {})) {
    if (name.startsWith(annotationPrefix)) annotations[name.slice(annotationPrefix.length)] = value;
    else if (!hidden.has(name)) labels[name] = value;
  }
  return { labels, annotations };
}

/** When a container was made: as its label says, or as the engine does. */
export function readCreatedAtMs(all: Texts | null, own: OwnLabels, engineSaysMs: number): number {
  const written = Number(all?.[own.createdAt] ?? Number.NaN);
  return Number.isSafeInteger(written) && written > 0 ? written : engineSaysMs;
}

/** Whether labels contain all of the desired ones with equal values. */
export function hasLabels(labels: Texts, desired: Texts | undefined): boolean {
  return Object.entries(desired ?? {}).every(([name, value]) => labels[name] === value);
}
