import { join } from 'node:path';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs/light.js';
import descriptor from '../../../../src/nodeagent/cri/protocol.json' with { type: 'json' };
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

/** A request as the fake got it. */
export interface Received {
  /** Such as `/runtime.v1.RuntimeService/Version`. */
  readonly path: string;
  readonly message: Readonly<Record<string, unknown>>;
  /** From when it arrived to its deadline; Infinity without one. */
  readonly timeLeftMs: number;
}

/** Fields of the answer, bytes to send as they are, a status code to fail with, or `hang` for no answer. */
export type Answer = object | Buffer | number | 'hang';

export interface FakeRuntime extends AsyncDisposable {
  readonly endpoint: string;
  readonly received: readonly Received[];
  /** Methods without an entry give an empty answer. */
  readonly answers: Map<string, Answer>;
  stop(): void;
}

// As in the driver: valid by construction.
const root = protobuf.Root.fromJSON(descriptor as protobuf.INamespace);

/** Serves the given versions on a unix socket, at `path` when given. */
export async function startFakeRuntime(versions: readonly string[], path?: string): Promise<FakeRuntime> {
  const directory = await makeTemporaryDirectory();
  const endpoint = `unix://${path ?? join(directory.path, 'fake.sock')}`;
  const received: Received[] = [];
  const answers = new Map<string, Answer>();
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
  for (const version of versions) {
    for (const service of ['RuntimeService', 'ImageService']) addService(server, version, service);
  }
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(endpoint, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    );
  });
  return {
    endpoint,
    received,
    answers,
    stop: () => server.forceShutdown(),
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
      await directory.remove();
    },
  };

  function addService(to: Server, version: string, service: string): void {
    for (const method of root.lookupService(service).methodsArray) {
      const methodPath = `/runtime.${version}.${service}/${method.name}`;
      const [request, answer] = [root.lookupType(method.requestType), root.lookupType(method.responseType)];
      const definition = {
        path: methodPath,
        requestStream: false,
        responseStream: false,
        requestSerialize: (bytes: Buffer) => bytes,
        requestDeserialize: (bytes: Buffer) => bytes,
        responseSerialize: (bytes: Buffer) => bytes,
        responseDeserialize: (bytes: Buffer) => bytes,
      } as const;
      const handle = (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>): void => {
        const message = request.toObject(request.decode(call.request), { longs: Number });
        received.push({ path: methodPath, message, timeLeftMs: Number(call.getDeadline()) - Date.now() });
        const wanted = answers.get(method.name) ?? {};
        if (wanted === 'hang') return;
        if (typeof wanted === 'number') reply({ code: wanted, details: `status ${status[wanted]}` });
        else reply(null, Buffer.isBuffer(wanted) ? wanted : Buffer.from(answer.encode(wanted).finish()));
      };
      to.addService({ [method.name]: definition }, { [method.name]: handle });
    }
  }
}
