import type { Dialect } from '../../machinery/dialect.ts';
import type { RuntimeCondition, RuntimeService } from '../runtime/index.ts';
import type { Engine } from './engine.ts';
import type { EngineInfo, EngineVersion } from './engine-types.ts';
import type { PodNetwork } from './pod-network.ts';

/** The part of `RuntimeService` about the runtime itself. */
export type StatusCalls = Pick<RuntimeService, 'version' | 'status' | 'setPodCidr'>;

/** What the runtime's readiness depends on beside an engine that answers. */
export interface StatusCallsOptions {
  readonly network: PodNetwork;
  readonly dialect: Dialect;
  readonly cgroupDriver: string;
}

/** The calls about the engine itself. */
export function createStatusCalls(engine: Engine, options: StatusCallsOptions): StatusCalls {
  const { network, dialect, cgroupDriver } = options;
  const { connection, requestTimeoutMs: timeoutMs } = engine;
  const name = dialect.spell('legacyrt');
  const common = { method: 'GET', timeoutMs } as const;
  /** Control group driver of the engine; requested again after the engine was unreachable. */
  let engineDriver: string | undefined;

  /** Why no containers can be run; undefined when they can. */
  async function mismatch(): Promise<string | undefined> {
    const call = 'Status';
    try {
      await connection.ask({ ...common, call, path: '/version' });
      engineDriver ??= (await connection.ask<EngineInfo>({ ...common, call, path: '/info' })).CgroupDriver;
    } catch (error) {
      engineDriver = undefined;
      throw error;
    }
    if (engineDriver === cgroupDriver || engineDriver === 'none') return undefined;
    const agent = dialect.spell('nodeagent');
    return `misconfiguration: ${agent} cgroup driver: "${cgroupDriver}" is different from ${name} cgroup driver: "${engineDriver}"`;
  }

  return {
    async version() {
      const answer = connection.ask<EngineVersion>({ ...common, call: 'Version', path: '/version' });
      const { Version, ApiVersion } = await answer;
      // API versions have two numbers; the runtime's version is a semantic one.
      return { name, version: Version, apiVersion: withPatch(ApiVersion) };
    },
    async status() {
      const runtimeProblem = await mismatch();
      const networkProblem = await network.problem();
      const message = networkProblem && `${name}: network plugin is not ready: ${networkProblem}`;
      const conditions = [
        toCondition('RuntimeReady', 'CgroupDriverMismatch', runtimeProblem),
        toCondition('NetworkReady', 'NetworkPluginNotReady', message),
      ];
      const [isRuntimeReady, isNetworkReady] = [runtimeProblem === undefined, networkProblem === undefined];
      return { conditions, isRuntimeReady, isNetworkReady };
    },
    async setPodCidr(podCidr) {
      connection.check();
      await network.setPodCidr(podCidr);
    },
  };
}

/** Holds unless there is a problem. */
function toCondition(type: string, reason: string, problem: string | undefined): RuntimeCondition {
  const isTrue = problem === undefined;
  return { type, isTrue, reason: isTrue ? '' : reason, message: problem ?? '' };
}

const withPatch = (version: string): string => (/^\d+\.\d+$/.test(version) ? `${version}.0` : version);
