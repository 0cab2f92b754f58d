import type { AgentOption } from './option-table.ts';

/** A taint of the node as `--register-with-taints` names it. */
export interface NodeTaint {
  readonly key: string;
  readonly value: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** What an option can be. Durations are milliseconds. */
export type AgentValue =
  | boolean
  | number
  | string
  | readonly string[]
  | Readonly<Record<string, string>>
  | Readonly<Record<string, boolean>>
  | Readonly<Record<string, readonly string[]>>
  | readonly NodeTaint[];

/** How texts of an option are read. */
export type ValueKind =
  | 'bool'
  | 'int32'
  | 'int64'
  | 'uint'
  | 'float'
  | 'duration'
  | 'string'
  | 'strings'
  | 'ip'
  | 'ips'
  | 'mapStringString'
  | 'mapStringBool'
  | 'thresholds'
  | 'headers'
  | 'taints'
  | 'severity'
  | 'traceLocation'
  | 'moduleSpec'
  | 'version';

const kinds: Readonly<Record<string, ValueKind>> = {
  bool: 'bool',
  int: 'int64',
  int32: 'int32',
  int64: 'int64',
  uint: 'uint',
  float: 'float',
  Level: 'int32',
  duration: 'duration',
  string: 'string',
  strings: 'strings',
  stringSlice: 'strings',
  ip: 'ip',
  ips: 'ips',
  cidr: 'string',
  quantity: 'string',
  cpuSet: 'string',
  mapStringString: 'mapStringString',
  mapStringBool: 'mapStringBool',
  thresholds: 'thresholds',
  headers: 'headers',
  taints: 'taints',
  severity: 'severity',
  traceLocation: 'traceLocation',
  moduleSpec: 'moduleSpec',
  version: 'version',
};

/** The kind of an option's value. @throws TypeError for a type that the table's author made up */
export function valueKind(option: AgentOption): ValueKind {
  const kind = kinds[option.syntax ?? option.type];
  if (kind === undefined) throw new TypeError(`option table: type ${option.syntax ?? option.type}`);
  return kind;
}

/** What an option without a default is: false, zero or empty. */
export function zeroValue(kind: ValueKind): AgentValue {
  switch (kind) {
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'uint':
    case 'float':
    case 'duration':
    case 'severity':
      return 0;
    case 'strings':
    case 'ips':
    case 'taints':
      return [];
    case 'mapStringString':
    case 'mapStringBool':
    case 'thresholds':
    case 'headers':
      return {};
    default:
      return '';
  }
}

/** Whether nothing is in it: the value that a file's reader cannot tell from a missing field. */
export function isZeroValue(value: AgentValue): boolean {
  if (typeof value === 'object') return Object.keys(value).length === 0;
  return value === false || value === 0 || value === '';
}
