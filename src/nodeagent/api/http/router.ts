import type { AgentHandler, PathValues } from './exchange.ts';

/** One way into a service. */
export interface ServiceRoute {
  readonly methods: readonly string[];
  /** Below the service's root; `{name}` stands for one part of the path, `{name:*}` at the end for the rest. */
  readonly template: string;
  readonly handler: AgentHandler;
  /** Media type that it answers in: requests that accept neither this nor anything are refused. */
  readonly produces?: string | undefined;
}

/** What a path leads to. `missed`: there is a service, but no route of it for this path (404) or method (405). */
export type Destination =
  | {
      readonly kind: 'found';
      readonly handler: AgentHandler;
      readonly values: PathValues;
      readonly produces?: string | undefined;
    }
  | { readonly kind: 'missed'; readonly status: 404 | 405 }
  | { readonly kind: 'moved'; readonly path: string }
  | { readonly kind: 'unknown' };

type Entry = { readonly handler: AgentHandler } | { readonly service: readonly CompiledRoute[] };

interface CompiledRoute {
  readonly methods: readonly string[];
  readonly parts: readonly string[];
  readonly handler: AgentHandler;
  readonly produces: string | undefined;
}

const noValues: PathValues = {};

/**
 * Paths in two layers, as release 1.20 has them: patterns of a plain multiplexer (those with a slash at the end stand
 * for all below them; the longest wins), and below some of them services with routes by method and parts of the path.
 */
export class Router {
  readonly #entries = new Map<string, Entry>();
  /** Patterns with a slash at the end, the longest first. */
  #trees: readonly string[] = [];

  /** Answers a path, and with a slash at its end all below it, whatever the method. */
  handle(pattern: string, handler: AgentHandler): void {
    this.#add(pattern, { handler });
  }

  /** Answers the routes below a root. */
  service(root: string, routes: readonly ServiceRoute[]): void {
    const service = routes.map(({ methods, template, handler, produces }) => ({
      methods,
      parts: splitPath(`${root}/${template}`),
      handler,
      produces,
    }));
    this.#add(root, { service });
    if (!root.endsWith('/')) this.#add(`${root}/`, { service });
  }

  find(method: string, path: string): Destination {
    const clean = cleanPath(path);
    if (clean !== path) return { kind: 'moved', path: clean };
    const entry = this.#entries.get(path);
    if (entry === undefined && this.#entries.has(`${path}/`)) return { kind: 'moved', path: `${path}/` };
    const found = entry ?? this.#tree(path);
    if (found === undefined) return { kind: 'unknown' };
    if ('handler' in found) return { kind: 'found', handler: found.handler, values: noValues };
    return findRoute(found.service, method, splitPath(path));
  }

  #tree(path: string): Entry | undefined {
    const pattern = this.#trees.find((tree) => path.startsWith(tree));
    return pattern === undefined ? undefined : this.#entries.get(pattern);
  }

  #add(pattern: string, entry: Entry): void {
    this.#entries.set(pattern, entry);
    if (!pattern.endsWith('/')) return;
    this.#trees = [...this.#trees, pattern].sort((a, b) => b.length - a.length);
  }
}

function findRoute(routes: readonly CompiledRoute[], method: string, parts: readonly string[]): Destination {
  let isPathKnown = false;
  for (const route of routes) {
    const values = matchParts(route.parts, parts);
    if (values === undefined) continue;
    const { handler, produces } = route;
    if (route.methods.includes(method)) return { kind: 'found', handler, values, produces };
    isPathKnown = true;
  }
  return { kind: 'missed', status: isPathKnown ? 405 : 404 };
}

function matchParts(template: readonly string[], parts: readonly string[]): PathValues | undefined {
  const values: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const open = /^\{(\w+)(:\*)?\}$/.exec(part);
    const given = parts[index];
    if (open?.[2] !== undefined) {
      if (given === undefined) return undefined;
      values[open[1] ?? ''] = parts.slice(index).join('/');
      return values;
    }
    if (given === undefined || (open === null && given !== part)) return undefined;
    if (open !== null) values[open[1] ?? ''] = given;
  }
  return parts.length === template.length ? values : undefined;
}

/** Slashes at both ends do not count. */
function splitPath(path: string): readonly string[] {
  const trimmed = path.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? [] : trimmed.split(/\/+/);
}

/** Without empty parts, `.` and `..`; a slash at the end stays. */
function cleanPath(path: string): string {
  if (!path.startsWith('/') || !/\/\/|\/\.\.?(?:\/|$)/.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}${path.endsWith('/') && parts.length > 0 ? '/' : ''}`;
}
