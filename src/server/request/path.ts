import { parseQuery } from '../../net/http/index.ts';

const noQuery = new URLSearchParams();

/** A request target taken apart. */
export interface Target {
  /** Percent-decoded path. */
  readonly path: string;
  /** Percent-decoded segments, without empty ones at the ends. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

/** Decodes and splits a request target; undefined when the escapes of its path are broken. An encoded slash splits, too. */
export function parseTarget(target: string): Target | undefined {
  const mark = target.indexOf('?');
  const rawPath = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? noQuery : parseQuery(target.slice(mark + 1));
  const path = rawPath.includes('%') ? decodePath(rawPath) : rawPath;
  if (path === undefined) return undefined;
  const segments = path.split('/');
  while (segments[0] === '') segments.shift();
  while (segments.at(-1) === '') segments.pop();
  return { path, segments, query };
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
