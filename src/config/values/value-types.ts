/** Ports `first` to `last`, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** A taint of a node as `--register-with-taints` names it. */
export interface NodeTaint {
  readonly key: string;
  readonly value: string;
  /** Empty when it was left out. */
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute' | '';
}

/** What each option type becomes after parsing. Durations are **milliseconds**, whatever unit they were written in. */
export interface OptionValues {
  bool: boolean;
  string: string;
  /** Whole numbers of which no digit is lost. */
  int: number;
  int32: number;
  int64: number;
  uint: number;
  float: number;
  /** Milliseconds; written `90s`, `1m30s`, `100ms`. */
  duration: number;
  /** Comma lists, repeatable; parts may be quoted as in CSV. */
  strings: readonly string[];
  /** Repeatable; a comma has no meaning. */
  stringArray: readonly string[];
  mapStringString: Readonly<Record<string, string>>;
  mapStringBool: Readonly<Record<string, boolean>>;
  /** `memory.available<100Mi,...`. */
  thresholds: Readonly<Record<string, string>>;
  /** `name:value,...`; all values of a name. */
  headers: Readonly<Record<string, readonly string[]>>;
  /** Text of an IPv4 or IPv6 address. */
  ip: string;
  /** Comma list; whoever reads it checks the addresses. */
  ips: readonly string[];
  /** `address/bits` each, host bits kept as written. */
  cidrs: readonly string[];
  portRange: PortRange;
  /** Text of a quantity such as `500m` or `1Gi`. */
  quantity: string;
  /** How often the flag is given: `-vvv` is 3, and so is `--v=3`. */
  count: number;
  /** `key=value:effect,...`. */
  taints: readonly NodeTaint[];
  /** Severity of a log line, by name or number. */
  severity: number;
  /** `file.go:234`. */
  traceLocation: string;
  /** `pattern=N,...`. */
  moduleSpec: string;
  /** Whether to print the version; `raw` in its raw form. */
  version: boolean | 'raw';
}

/** The kinds of values; `OptionValues` says what each becomes. */
export type OptionType = keyof OptionValues;

/** Types whose values are read with the API machinery: their options bring the parser (`config/typed-values`). */
export type TypedValueType =
  | 'ip'
  | 'cidrs'
  | 'quantity'
  | 'taints'
  | 'severity'
  | 'traceLocation'
  | 'moduleSpec';

/** A value of any type. */
export type AnyOptionValue = OptionValues[OptionType];

const lists: ReadonlySet<OptionType> = new Set(['strings', 'stringArray', 'ips', 'cidrs', 'taints']);
const maps: ReadonlySet<OptionType> = new Set(['mapStringString', 'mapStringBool', 'thresholds', 'headers']);
const numbers: ReadonlySet<OptionType> = new Set([
  'int',
  'int32',
  'int64',
  'uint',
  'float',
  'duration',
  'count',
  'severity',
]);

/** Whether giving the option again adds to it. */
export function isCollection(type: OptionType): boolean {
  return lists.has(type) || maps.has(type);
}

export function isMap(type: OptionType): boolean {
  return maps.has(type);
}

/** What Go takes for nothing: false, zero or empty; of a range of ports, port 0. */
export function zeroValue(type: OptionType): AnyOptionValue {
  if (type === 'bool' || type === 'version') return false;
  if (numbers.has(type)) return 0;
  if (lists.has(type)) return [];
  if (maps.has(type)) return Object.create(null) as Record<string, string>; // an empty record of every kind
  return type === 'portRange' ? { first: 0, last: 0 } : '';
}

/** Whether nothing is in it: the value that a file's reader cannot tell from a missing field. */
export function isZeroValue(value: AnyOptionValue): boolean {
  if (typeof value === 'object') return Object.keys(value).length === 0;
  return value === false || value === 0 || value === '';
}
