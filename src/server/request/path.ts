const noQuery = new URLSearchParams();

/** A request target taken apart. */
export interface Target {
  /** Percent-decoded path. */
  readonly path: string;
  /** Percent-decoded segments, without empty ones at the ends. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

/** Splits and decodes a request target; undefined when its escapes are broken. An encoded slash does not split. */
export function parseTarget(target: string): Target | undefined {
  const mark = target.indexOf('?');
  const rawPath = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? noQuery : new URLSearchParams(target.slice(mark + 1));
  const raw = rawPath.split('/');
  if (raw[0] === '') raw.shift();
  if (raw.at(-1) === '') raw.pop();
  if (!rawPath.includes('%')) return { path: rawPath, segments: raw, query };
  try {
    return {
      path: decodeURIComponent(rawPath),
      segments: raw.map((segment) => decodeURIComponent(segment)),
      query,
    };
  } catch {
    return undefined;
  }
}
