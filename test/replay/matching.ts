/** What stands in recordings for values that differ from run to run, and what such a value looks like. */
const placeholders: Readonly<Record<string, string>> = {
  '<time>': '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)',
  '<uid>': '[0-9a-f-]{32,36}',
  '<hex32>': '[0-9a-f]{32}',
  '<id>': '[0-9a-f]{8,64}',
  '<digest>': '[0-9a-f]{64}',
  '<rv>': '\\d+',
  '<pod-ip>': '\\d+\\.\\d+\\.\\d+\\.\\d+',
  '<gateway-ip>': '\\d+\\.\\d+\\.\\d+\\.\\d+',
  '<node-ip>': '\\d+\\.\\d+\\.\\d+\\.\\d+',
  '<node-ip6>': '[0-9a-f:]+',
  '<host-name>': '[a-z0-9.-]+',
  '<port>': '\\d+',
  '<ptr>': '0x[0-9a-f]+',
  '<n>': '\\d+',
  '<root-dir>': '/[^"\\s]*?',
  '<manifest-dir>': '/[^"\\s]*?',
  '<cert-dir>': '/[^"\\s]*?',
};

const anything = '<varies>';
const patterns = new Map<string, RegExp>();

/** Paths of `actual` that are not as expected, each with what was found. Numbers at paths that end as `atLeast` says may be larger. */
export function differences(
  expected: unknown,
  actual: unknown,
  atLeast: readonly string[] = [],
  path = '',
): string[] {
  if (expected === anything) return [];
  if (typeof expected === 'string' && typeof actual === 'string') {
    return expected === actual || patternOf(expected).test(actual) ? [] : [differ(path, expected, actual)];
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return [differ(path, expected, actual)];
    return expected.flatMap((each, index) => differences(each, actual[index], atLeast, `${path}[${index}]`));
  }
  if (isRecord(expected) && isRecord(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) => differences(expected[key], actual[key], atLeast, `${path}.${key}`));
  }
  const mayGrow = atLeast.some((name) => path.endsWith(`.${name}`));
  if (mayGrow && typeof expected === 'number' && typeof actual === 'number' && actual >= expected) return [];
  return Object.is(expected, actual) ? [] : [differ(path, expected, actual)];
}

/** Whether a text is as expected. */
export const matches = (expected: string, actual: string): boolean => patternOf(expected).test(actual);

function patternOf(expected: string): RegExp {
  let pattern = patterns.get(expected);
  if (pattern === undefined) {
    const parts = expected.split(/(<[a-z0-9-]+>)/);
    const source = parts
      .map((part) =>
        part === anything ? '[^]*' : (placeholders[part] ?? part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')),
      )
      .join('');
    pattern = new RegExp(`^${source}$`);
    patterns.set(expected, pattern);
  }
  return pattern;
}

const differ = (path: string, expected: unknown, actual: unknown): string =>
  `${path || '.'}: expected ${show(expected)}, found ${show(actual)}`;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 600 ? `${text.slice(0, 600)}...` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
