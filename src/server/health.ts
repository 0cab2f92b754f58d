import { errorText } from '../base/index.ts';
import { otherFailure, quoteGo } from '../machinery/errors/index.ts';
import type { Exchange } from './request/exchange.ts';
import { respondPlain, respondText } from './request/respond.ts';

/** One health check. `check` rejects or throws with what is wrong. */
export interface HealthCheck {
  readonly name: string;
  check(): Promise<void> | void;
}

/** Names of the checks of each endpoint, in the order that `verbose` shows them. */
export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/** Checks of the start: each fails until the parts of the start that it waits for are done, and succeeds from then on. */
export class StartHooks {
  /** Parts that checks still wait for, by the names of the checks. */
  readonly #awaited = new Map<string, Set<string>>();

  /** Registers a hook that waits for parts of the start. */
  check(name: string, parts: Iterable<string>): HealthCheck {
    const awaited = new Set(parts);
    this.#awaited.set(name, awaited);
    return {
      name,
      check: () => {
        if (awaited.size > 0) throw new Error('not finished');
      },
    };
  }

  /** A part of the start is done. */
  finish(part: string): void {
    for (const parts of this.#awaited.values()) parts.delete(part);
  }

  /** Parts that are not done. */
  get pending(): ReadonlySet<string> {
    return new Set([...this.#awaited.values()].flatMap((parts) => [...parts]));
  }
}

/**
 * The checks of each endpoint, in the order in which answers list them; both times are of the clock `nowMs`.
 */
export interface HealthOptions {
  readonly checks: Readonly<Record<HealthEndpoint, readonly HealthCheck[]>>;
  /** Liveness does not fail for the start hooks before this much time has passed since the start. */
  readonly livezGraceMs: number;
  readonly startedAtMs: number;
  readonly nowMs: () => number;
}

/** Answers `/healthz`, `/livez` and `/readyz`, whole or one check (spec, "Health endpoints"). */
export class Health {
  readonly #options: HealthOptions;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** True when the path is a health endpoint or one of its checks. */
  serves(path: string): boolean {
    const [endpoint, check] = split(path);
    if (path.endsWith('/')) return false;
    return endpoint !== undefined && (check === '' || this.#find(endpoint, check) !== undefined);
  }

  async handle(exchange: Exchange): Promise<void> {
    const [endpoint, name] = split(exchange.path);
    if (endpoint === undefined) return;
    const one = name === '' ? undefined : this.#find(endpoint, name);
    if (one !== undefined) return this.#handleOne(exchange, endpoint, one);
    await this.#handleAll(exchange, endpoint);
  }

  async #handleOne(exchange: Exchange, endpoint: HealthEndpoint, check: HealthCheck): Promise<void> {
    const problem = await this.#run(endpoint, check);
    if (problem === undefined) return respondPlain(exchange, 'ok');
    throw otherFailure(500, 'InternalError', `${endpoint} check ${check.name} failed: ${problem}`, {});
  }

  async #handleAll(exchange: Exchange, endpoint: HealthEndpoint): Promise<void> {
    const excluded = new Set(exchange.query.getAll('exclude'));
    const lines: string[] = [];
    let hasFailed = false;
    for (const check of this.#options.checks[endpoint]) {
      if (excluded.delete(check.name)) {
        lines.push(`[+]${check.name} excluded: ok`);
        continue;
      }
      const problem = await this.#run(endpoint, check);
      if (problem !== undefined) hasFailed = true;
      // The message may reveal internals: it is logged, and clients see only that the check failed.
      lines.push(problem === undefined ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`);
    }
    if (excluded.size > 0) {
      const names = [...excluded].sort().map(quoteGo).join(',');
      lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
    }
    const details = `${lines.join('\n')}\n`;
    if (hasFailed) return respondText(exchange, 500, `${details}${endpoint} check failed\n`);
    const isVerbose = exchange.query.has('verbose');
    respondText(exchange, 200, isVerbose ? `${details}${endpoint} check passed\n` : 'ok');
  }

  async #run(endpoint: HealthEndpoint, check: HealthCheck): Promise<string | undefined> {
    const { livezGraceMs, startedAtMs, nowMs } = this.#options;
    try {
      await check.check();
      return undefined;
    } catch (error) {
      if (endpoint === 'livez' && nowMs() - startedAtMs < livezGraceMs) return undefined;
      return errorText(error);
    }
  }

  #find(endpoint: HealthEndpoint, name: string): HealthCheck | undefined {
    return this.#options.checks[endpoint].find((check) => check.name === name);
  }
}

function split(path: string): [endpoint: HealthEndpoint | undefined, check: string] {
  const [, first = '', ...rest] = path.split('/');
  const isEndpoint = first === 'healthz' || first === 'livez' || first === 'readyz';
  return [isEndpoint ? first : undefined, rest.join('/')];
}
