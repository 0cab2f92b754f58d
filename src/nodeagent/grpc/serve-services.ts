/**
 * gRPC services of other programs on this node, and the agent's own, over Unix sockets: their messages come from
 * descriptions in JSON (protobuf.js), so that a service is a data file and an interface. Used for plugins of vendors;
 * container runtimes have a driver of their own (`cri`). It keeps nothing and repeats nothing.
 */

import { rm } from 'node:fs/promises';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { errorText } from '../../base/index.ts';
import { GrpcError } from './grpc-error.ts';
import { type MethodTable, ServiceCodec, type ServiceDescription } from './service-codec.ts';

/** What answers each method; a `GrpcError` that is thrown becomes the call's status, any other error `Internal`. */
export type ServiceMethods<Methods extends MethodTable> = {
  readonly [Name in keyof Methods]: (
    request: Methods[Name][0],
  ) => Methods[Name][1] | Promise<Methods[Name][1]>;
};

/** Serves a service beside others on one socket. */
export type AddService = <Methods extends MethodTable>(
  description: ServiceDescription,
  methods: ServiceMethods<Methods>,
) => void;

/**
 * Serves services on a Unix socket, in the place of what is there, until it is disposed of.
 *
 * @param add is given the means to say which
 * @throws Error when the socket cannot be made
 */
export async function serveServices(
  socketPath: string,
  add: (addService: AddService) => void,
): Promise<AsyncDisposable> {
  const server = new Server();
  add((description, methods) => addTo(server, description, methods));
  await rm(socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socketPath}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  return {
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
      await rm(socketPath, { force: true });
    },
  };
}

function addTo<Methods extends MethodTable>(
  server: Server,
  description: ServiceDescription,
  methods: ServiceMethods<Methods>,
): void {
  const codec = new ServiceCodec<Methods>(description);
  for (const name in methods) {
    const { path, encodeAnswer, decodeRequest } = codec.methodOf(name);
    const respond = async ({ request }: ServerUnaryCall<Methods[typeof name][0], Methods[typeof name][1]>) =>
      methods[name](request);
    server.register(
      path,
      (
        call: ServerUnaryCall<Methods[typeof name][0], Methods[typeof name][1]>,
        done: sendUnaryData<Methods[typeof name][1]>,
      ) => {
        respond(call).then(
          (answer) => done(null, answer),
          (error: unknown) => done(toStatus(error)),
        );
      },
      encodeAnswer,
      decodeRequest,
      'unary',
    );
  }
}

function toStatus(error: unknown): { readonly code: number; readonly details: string } {
  const failure = error instanceof GrpcError ? error : new GrpcError('Internal', errorText(error));
  return { code: failure.status, details: failure.details };
}
