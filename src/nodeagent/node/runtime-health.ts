import type { Clock, Logger } from '../../base/index.ts';
import type { RuntimeCondition, RuntimeService } from '../runtime/index.ts';

/** The runtime whose status is asked for. */
export interface RuntimeHealthOptions {
  readonly runtime: Pick<RuntimeService, 'version' | 'status'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The runtime counts as down when it has not reported ready for this time, as in release 1.20. */
const downAfterMs = 30_000;

/** What the runtime last said of itself. */
export class RuntimeHealth {
  readonly #options: RuntimeHealthOptions;
  #readyAtMs: number | undefined;
  #runtimeProblem: string | undefined;
  #networkProblem: string | undefined;
  #version = '';
  #checking: Promise<void> | undefined;
  #hasAnswered = true;

  constructor(options: RuntimeHealthOptions) {
    this.#options = options;
  }

  /** Name and version, such as `containerd://1.6.20`; empty before the runtime has told. */
  get version(): string {
    return this.#version;
  }

  get isRuntimeReady(): boolean {
    return this.#runtimeProblem === undefined && this.#syncProblem() === undefined;
  }

  get isNetworkReady(): boolean {
    return this.isRuntimeReady && this.#networkProblem === undefined;
  }

  /** Undefined when the network was ready when the runtime last answered. */
  get networkProblem(): string | undefined {
    return this.#networkProblem;
  }

  /**
   * Why pods cannot run: `others` come after a missing answer and before what the runtime reports, as in release 1.20.
   */
  problems(others: readonly string[] = []): string[] {
    const found = [this.#syncProblem(), ...others, this.#runtimeProblem, this.#networkProblem];
    return found.filter((one) => one !== undefined);
  }

  /** Asks the runtime; resolves when it has answered or could not. One question at a time. */
  check(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #ask(): Promise<void> {
    const { runtime, clock, logger } = this.#options;
    try {
      const { conditions, isRuntimeReady, isNetworkReady } = await runtime.status();
      const describe = (type: string): string => describeCondition(conditions, type);
      this.#networkProblem = isNetworkReady
        ? undefined
        : `runtime network not ready: ${describe('NetworkReady')}`;
      this.#runtimeProblem = isRuntimeReady
        ? undefined
        : `container runtime not ready: ${describe('RuntimeReady')}`;
      if (isRuntimeReady) this.#readyAtMs = clock.nowMs();
      // After an outage the runtime may have another version.
      if (this.#version === '' || !this.#hasAnswered) {
        const { name, version } = await runtime.version();
        this.#version = `${name}://${readVersion(version)}`;
      }
      this.#hasAnswered = true;
    } catch (error) {
      if (this.#hasAnswered) logger.error('container runtime sanity check failed', { error });
      this.#hasAnswered = false;
    }
  }

  #syncProblem(): string | undefined {
    if (this.#readyAtMs === undefined) return 'container runtime status check may not have completed yet';
    const ageMs = this.#options.clock.nowMs() - this.#readyAtMs;
    return ageMs > downAfterMs ? 'container runtime is down' : undefined;
  }
}

/**
 * A version as release 1.20 reads it: whole when it is a semantic one (https://semver.org), such as `1.6.20+k3s1`, else its
 * numbers (`1.6.20~ds1` is `1.6.20`).
 */
function readVersion(text: string): string {
  const isSemantic = /^v?(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\w.-]+)?(?:\+[\w.-]+)?$/.test(text);
  const numbers = isSemantic ? text.replace(/^v/, '') : /^v?(\d+(?:\.\d+)+)/.exec(text)?.[1];
  return numbers ?? text;
}

function describeCondition(conditions: readonly RuntimeCondition[], type: string): string {
  const found = conditions.find((one) => one.type === type);
  if (found === undefined) return '<nil>';
  return `${type}=${found.isTrue} reason:${found.reason} message:${found.message}`;
}
