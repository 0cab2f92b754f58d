import { formatDurationMs } from '../../machinery/go-values/index.ts';
import { formatList } from './lists.ts';
import { recordOf } from './maps.ts';
import type { AnyOptionValue, NodeTaint, OptionType, PortRange } from './value-types.ts';
import { isCollection } from './value-types.ts';

/**
 * The value of an option that is given more than once: lists append, maps merge, the last of the others wins. Networks
 * are one text in release 1.20.
 */
export function joinValues(type: OptionType, earlier: AnyOptionValue, later: AnyOptionValue): AnyOptionValue {
  if (!isCollection(type) || type === 'cidrs') return later;
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later];
  const joined: Record<string, unknown> = recordOf(Object.entries(earlier));
  for (const [key, value] of Object.entries(later)) {
    const before = joined[key];
    joined[key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return joined as Record<string, string>; // both came from the same type's parser
}

/** The text that parses back to the value; empty for empty lists and maps. */
export function formatValue(type: OptionType, value: AnyOptionValue | undefined): string {
  if (value === undefined) return '';
  if (type === 'duration') return formatDurationMs(Number(value));
  if (type === 'portRange' && isPortRange(value)) return `${value.first}-${value.last}`;
  if (Array.isArray(value)) {
    return formatList(
      value.map((item: string | NodeTaint) => (typeof item === 'string' ? item : formatTaint(item))),
    );
  }
  if (typeof value !== 'object') return String(value);
  const separator = type === 'thresholds' ? '<' : type === 'headers' ? ':' : '=';
  const pairs = Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
    (Array.isArray(entry) ? entry : [entry]).map((text) => `${key}${separator}${text}`),
  );
  return formatList(pairs);
}

/** As `--register-with-taints` reads it back. */
function formatTaint({ key, value, effect }: NodeTaint): string {
  return effect === '' ? key : `${key}=${value}:${effect}`;
}

function isPortRange(value: AnyOptionValue): value is PortRange {
  return typeof value === 'object' && 'first' in value && 'last' in value;
}
