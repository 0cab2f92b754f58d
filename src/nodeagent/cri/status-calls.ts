import type { RuntimeService } from '../runtime/index.ts';
import type { Connection } from './connection.ts';

/** The part of `RuntimeService` about the runtime itself. */
export type StatusCalls = Pick<RuntimeService, 'version' | 'status' | 'setPodCidr'>;

/** Version of this interface's client that release 1.20 names in the request. */
const clientVersion = '0.1.0';

/** The calls about the runtime itself. */
export function createStatusCalls(connection: Connection, requestTimeoutMs: number): StatusCalls {
  const usual = { timeoutMs: requestTimeoutMs };
  return {
    async version() {
      const answer = await connection.call('Version', { version: clientVersion }, usual);
      return {
        name: answer.runtime_name,
        version: answer.runtime_version,
        apiVersion: answer.runtime_api_version,
      };
    },
    async status() {
      const { status } = await connection.call('Status', {}, usual);
      const conditions = (status?.conditions ?? []).map(({ type, status: isTrue, reason, message }) => {
        return { type, isTrue, reason, message };
      });
      const holds = (type: string): boolean => conditions.some((each) => each.type === type && each.isTrue);
      return {
        conditions,
        isRuntimeReady: holds('RuntimeReady'),
        isNetworkReady: holds('NetworkReady'),
      };
    },
    async setPodCidr(podCidr) {
      const request = { runtime_config: { network_config: { pod_cidr: podCidr } } };
      await connection.call('UpdateRuntimeConfig', request, usual);
    },
  };
}
