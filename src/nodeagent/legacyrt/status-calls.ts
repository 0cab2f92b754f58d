import type { Dialect } from '../../machinery/dialect.ts';
import type { RuntimeCondition, RuntimeService } from '../runtime/index.ts';
import type { Engine } from './engine.ts';
import type { PodNetwork } from './pod-network.ts';

export type StatusCalls = Pick<RuntimeService, 'version' | 'status' | 'setPodCidr'>;

/** The calls about the engine itself. */
export function createStatusCalls(engine: Engine, network: PodNetwork, dialect: Dialect): StatusCalls {
  const { connection, requestTimeoutMs: timeoutMs } = engine;
  const name = dialect.spell('legacyrt');
  return {
    async version() {
      const request = { call: 'Version', method: 'GET', path: '/version', timeoutMs } as const;
      const { Version, ApiVersion } = await connection.ask<{ Version: string; ApiVersion: string }>(request);
      // An engine of before semantic versions has one number for both.
      return { name, version: Version, apiVersion: withPatch(ApiVersion) };
    },
    async status() {
      await connection.ask({ call: 'Status', method: 'GET', path: '/version', timeoutMs });
      const problem = await network.problem();
      const networkMessage = problem === undefined ? '' : `${name}: network plugin is not ready: ${problem}`;
      const conditions: RuntimeCondition[] = [
        { type: 'RuntimeReady', isTrue: true, reason: '', message: '' },
        {
          type: 'NetworkReady',
          isTrue: problem === undefined,
          reason: problem === undefined ? '' : 'NetworkPluginNotReady',
          message: networkMessage,
        },
      ];
      return { conditions, isRuntimeReady: true, isNetworkReady: problem === undefined };
    },
    async setPodCidr(podCidr) {
      connection.check();
      network.setPodCidr(podCidr);
    },
  };
}

const withPatch = (version: string): string => (/^\d+\.\d+$/.test(version) ? `${version}.0` : version);
