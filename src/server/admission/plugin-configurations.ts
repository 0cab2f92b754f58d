import type { Toleration } from '../../apis/types/core-v1.ts';
import { isJsonObject, type JsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import { AdmissionConfigurationError, expectKind, refuseUnknown } from './admission-configuration.ts';
import { readTolerations } from './tolerations.ts';

/** How often events of one kind of scope may be written. Source: release 1.20, `eventratelimit`, v1alpha1. */
export interface EventLimit {
  readonly type: 'Server' | 'Namespace' | 'User' | 'SourceAndObject';
  /** Each second. */
  readonly qps: number;
  readonly burst: number;
  /** Scopes that are told apart. */
  readonly cacheSize: number;
}

/** Tolerations for namespaces that say nothing of their own. Source: `podtolerationrestriction`, v1alpha1. */
export interface TolerationLists {
  readonly default: readonly Toleration[];
  readonly whitelist: readonly Toleration[];
}

/** How images are asked about. Source: `imagepolicy`, `AdmissionConfig`. */
export interface ImagePolicySettings {
  /** Client configuration that says where the webhook is. */
  readonly file: string;
  /** How long answers count; 0: not at all. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** Before the second call. */
  readonly retryBackoffMs: number;
  /** Pods are let through where the webhook gives no answer. */
  readonly defaultAllow: boolean;
}

type Document = Readonly<JsonObject>;

/** @throws AdmissionConfigurationError that names the field. */
export function readEventLimits(document: Document, dialect: Dialect): readonly EventLimit[] {
  expectKind(document, 'Configuration', [`${dialect.group('eventratelimit.admission')}/v1alpha1`]);
  const { limits = [], ...rest } = document;
  refuseUnknown(rest, '', ['apiVersion', 'kind']);
  if (!Array.isArray(limits) || limits.length === 0) {
    throw new AdmissionConfigurationError('limits: must be a list and not be empty');
  }
  return limits.map((limit, index) => readEventLimit(limit, `limits[${index}]`));
}

const limitTypes: readonly EventLimit['type'][] = ['Server', 'Namespace', 'User', 'SourceAndObject'];
/** As in release 1.20 (`defaultCacheSize`). */
const defaultCacheSize = 4096;
const maxInt32 = 2 ** 31 - 1;

function readEventLimit(value: unknown, path: string): EventLimit {
  if (!isJsonObject(value)) throw new AdmissionConfigurationError(`${path}: must be an object`);
  const { type: name, qps, burst, cacheSize, ...rest } = value;
  refuseUnknown(rest, path, []);
  const type = limitTypes.find((known) => known === name);
  if (type === undefined)
    throw new AdmissionConfigurationError(`${path}.type: must be one of ${limitTypes.join(', ')}`);
  return {
    type,
    qps: readNumber(qps ?? 0, `${path}.qps`, 1),
    burst: readNumber(burst ?? 0, `${path}.burst`, 1),
    cacheSize:
      readNumber(cacheSize ?? 0, `${path}.cacheSize`, type === 'Server' ? -maxInt32 : 0) || defaultCacheSize,
  };
}

function readNumber(value: unknown, path: string, least: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= maxInt32)
    return value;
  throw new AdmissionConfigurationError(`${path}: must be a whole number from ${least} to ${maxInt32}`);
}

/** @throws AdmissionConfigurationError that names the field. */
export function readTolerationLists(document: Document, dialect: Dialect): TolerationLists {
  expectKind(document, 'Configuration', [`${dialect.group('podtolerationrestriction.admission')}/v1alpha1`]);
  const { default: defaults, whitelist, ...rest } = document;
  refuseUnknown(rest, '', ['apiVersion', 'kind']);
  return {
    default: readTolerations(defaults ?? [], 'default', { isStrict: true }),
    whitelist: readTolerations(whitelist ?? [], 'whitelist', { isStrict: true }),
  };
}

/**
 * Selectors by namespace; that of `clusterDefaultNodeSelector` is for namespaces that say nothing of their own. The plugin
 * reads what they say when they count, as release 1.20 does.
 *
 * @throws AdmissionConfigurationError that names the field.
 */
export function readNodeSelectors(document: Document): ReadonlyMap<string, string> {
  const { podNodeSelectorPluginConfig: selectors, ...rest } = document;
  // One file may be for both plugins that have no versions.
  refuseUnknown(rest, '', ['imagePolicy']);
  if (!isJsonObject(selectors ?? {})) {
    throw new AdmissionConfigurationError('podNodeSelectorPluginConfig: must be an object');
  }
  return new Map(
    Object.entries(selectors ?? {}).map(([namespace, selector]) => {
      if (typeof selector === 'string') return [namespace, selector];
      throw new AdmissionConfigurationError(`podNodeSelectorPluginConfig.${namespace}: must be a text`);
    }),
  );
}

const minuteMs = 60_000;

/** @throws AdmissionConfigurationError that names the field. */
export function readImagePolicy(document: Document, dialect: Dialect): ImagePolicySettings {
  const { imagePolicy, ...others } = document;
  refuseUnknown(others, '', ['podNodeSelectorPluginConfig']);
  if (!isJsonObject(imagePolicy)) throw new AdmissionConfigurationError('imagePolicy: must be an object');
  const field = dialect.spell('orchConfigFile');
  const { [field]: file, allowTTL, denyTTL, retryBackoff, defaultAllow = false, ...rest } = imagePolicy;
  refuseUnknown(rest, 'imagePolicy', []);
  if (typeof file !== 'string' || file === '') {
    throw new AdmissionConfigurationError(`imagePolicy.${field}: must name a file`);
  }
  if (typeof defaultAllow !== 'boolean') {
    throw new AdmissionConfigurationError('imagePolicy.defaultAllow: must be true or false');
  }
  const ttl = { unitMs: 1000, leastMs: 1000, mostMs: 30 * minuteMs };
  const backoff = { unitMs: 1, leastMs: 1, mostMs: 5 * minuteMs, defaultMs: 500 };
  return {
    file,
    allowTtlMs: readTime(allowTTL, 'imagePolicy.allowTTL', { ...ttl, defaultMs: 5 * minuteMs }),
    denyTtlMs: readTime(denyTTL, 'imagePolicy.denyTTL', { ...ttl, defaultMs: 30_000 }),
    retryBackoffMs: readTime(retryBackoff, 'imagePolicy.retryBackoff', backoff),
    defaultAllow,
  };
}

interface TimeBounds {
  readonly unitMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
  readonly defaultMs: number;
}

/** A whole number of units; -1 stands for none, 0 for the default. */
function readTime(value: unknown, path: string, { unitMs, leastMs, mostMs, defaultMs }: TimeBounds): number {
  if (value === undefined || value === null || value === 0) return defaultMs;
  if (value === -1) return 0;
  const ms = typeof value === 'number' && Number.isInteger(value) ? value * unitMs : Number.NaN;
  if (ms >= leastMs && ms <= mostMs) return ms;
  const range = `${formatDurationMs(leastMs)} to ${formatDurationMs(mostMs)}`;
  throw new AdmissionConfigurationError(`${path}: must be a whole number that means ${range}, -1 or 0`);
}
