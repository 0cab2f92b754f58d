import { chmod, rm } from 'node:fs/promises';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import { GrpcError, ServiceCodec, type ServiceDescription } from '../../src/nodeagent/grpc/index.ts';

/** Answers to one method; a `GrpcError` that is thrown becomes the call's status, any other error `Internal`. */
export type GrpcMethod = (request: Record<string, unknown>) => object | Promise<object>;

/** A service, and what answers its methods; others are unimplemented. */
export interface GrpcService extends ServiceDescription {
  readonly methods: Readonly<Record<string, GrpcMethod>>;
}

const codes: Record<string, number> = {
  InvalidArgument: status.INVALID_ARGUMENT,
  NotFound: status.NOT_FOUND,
  FailedPrecondition: status.FAILED_PRECONDITION,
  Aborted: status.ABORTED,
  Unimplemented: status.UNIMPLEMENTED,
};

/** Serves services on a Unix socket, which a former one is removed for, until it is disposed of. */
export async function serveGrpc(socket: string, services: readonly GrpcService[]): Promise<AsyncDisposable> {
  const server = new Server();
  for (const { methods, ...description } of services) {
    const codec = new ServiceCodec<Record<string, readonly [object, object]>>(description);
    for (const [name, answer] of Object.entries(methods)) {
      const { path, encodeAnswer, decodeRequest } = codec.methodOf(name);
      server.register<object, object>(
        path,
        (call: ServerUnaryCall<object, object>, done: sendUnaryData<object>) => {
          Promise.resolve()
            .then(() => answer({ ...call.request }))
            .then(
              (value) => done(null, value),
              (error) =>
                done({
                  code: (error instanceof GrpcError ? codes[error.code] : undefined) ?? status.INTERNAL,
                  details: error instanceof GrpcError ? error.details : String(error.message),
                }),
            );
        },
        encodeAnswer,
        decodeRequest,
        'unary',
      );
    }
  }
  await rm(socket, { force: true });
  await new Promise<void>((resolve, reject) =>
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    ),
  );
  await chmod(socket, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
      await rm(socket, { force: true });
    },
  };
}
