import { serveServices } from '../../src/nodeagent/grpc/serve-services.ts';
import type { ServiceDescription } from '../../src/nodeagent/grpc/service-codec.ts';

/** Answers to one method; a `GrpcError` that is thrown becomes the call's status, any other error `Internal`. */
export type GrpcMethod = (request: Record<string, unknown>) => object | Promise<object>;

/** A service, and what answers its methods; others are unimplemented. */
export interface GrpcService extends ServiceDescription {
  readonly methods: Readonly<Record<string, GrpcMethod>>;
}

/** Serves services on a Unix socket, which a former one is removed for, until it is disposed of. */
export function serveGrpc(socket: string, services: readonly GrpcService[]): Promise<AsyncDisposable> {
  return serveServices(socket, (add) => {
    for (const { methods, ...description } of services) {
      const plain = Object.entries(methods).map(
        ([name, answer]) => [name, (request: object) => answer({ ...request })] as const,
      );
      add<Record<string, readonly [object, object]>>(description, Object.fromEntries(plain));
    }
  });
}
