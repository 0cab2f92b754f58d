/** A registry with an optional path, as credentials and credential providers name it; hosts may hold `*` and `?`. */
export interface RegistryPattern {
  /** Host, port and path: what makes it unique. */
  readonly key: string;
  /** Labels of the host. */
  readonly labels: readonly string[];
  /** Empty when none is given. */
  readonly port: string;
  readonly path: string;
}

const scheme = /^https?:\/\//;
const maxLength = 2048;
/** Characters that a host with patterns and an optional port can have. */
const hostForm = /^([A-Za-z0-9.*?\-_[\]^\\]*)(?::([0-9]*))?$/;

/**
 * Reads `registry.example.com:5000/team`, with or without scheme; `/v1/` and `/v2/` before a path mean the whole host.
 * Undefined for what is no such thing.
 */
export function parseRegistryPattern(text: string): RegistryPattern | undefined {
  if (text.length > maxLength) return undefined;
  const bare = text.replace(scheme, '');
  const slash = bare.indexOf('/');
  const authority = slash < 0 ? bare : bare.slice(0, slash);
  const [, host, port = ''] = hostForm.exec(authority) ?? [];
  if (host === undefined) return undefined;
  const given = slash < 0 ? '' : (bare.slice(slash).split(/[?#]/, 1)[0] ?? '');
  const shortened = /^\/v[12]\//.test(given) ? given.slice(3) : given;
  const path = shortened === '/' ? '' : shortened;
  return { key: authority + path, labels: host.split('.'), port, path };
}

/** Whether credentials for `pattern` are meant for `target`: as many labels, each fitting, the same port, a path below. */
export function matchesRegistry(pattern: RegistryPattern, target: RegistryPattern): boolean {
  return (
    pattern.port === target.port &&
    pattern.labels.length === target.labels.length &&
    target.path.startsWith(pattern.path) &&
    pattern.labels.every((label, index) => matchesLabel(label, target.labels[index] ?? ''))
  );
}

/** `*` stands for any characters, `?` for one, `[...]` for one of a set. Backtracks to the last `*` only. */
function matchesLabel(pattern: string, text: string): boolean {
  let [at, from] = [0, 0];
  let star: { at: number; from: number } | undefined;
  while (from < text.length) {
    const step = matchOne(pattern, at, text.charAt(from));
    if (pattern[at] === '*') {
      star = { at: at + 1, from };
      at += 1;
    } else if (step !== undefined) {
      at += step;
      from += 1;
    } else if (star !== undefined) {
      star = { at: star.at, from: star.from + 1 };
      [at, from] = [star.at, star.from];
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

/** How many characters of the pattern stand for `char`; undefined when they do not. */
function matchOne(pattern: string, at: number, char: string): number | undefined {
  const first = pattern[at];
  if (first === undefined || first === '*') return undefined;
  if (first === '?') return 1;
  if (first !== '[') return first === char ? 1 : undefined;
  const end = pattern.indexOf(']', at + 1);
  if (end < 0) return undefined;
  const set = pattern.slice(at + 1, end);
  const isNegated = set.startsWith('^');
  return isInSet(isNegated ? set.slice(1) : set, char) === isNegated ? undefined : end + 1 - at;
}

function isInSet(set: string, char: string): boolean {
  for (let at = 0; at < set.length; at++) {
    const isRange = set[at + 1] === '-' && at + 2 < set.length;
    const last = set[isRange ? at + 2 : at] ?? '';
    if ((set[at] ?? '') <= char && char <= last) return true;
    if (isRange) at += 2;
  }
  return false;
}
