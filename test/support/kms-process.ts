/** A key management service as a program of its own: `node kms-process.ts SOCKET`. It seals by a byte in front. */
import { loadPackageDefinition, Server, ServerCredentials } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import descriptor from '../../src/storage/encryption/kms-protocol.json' with { type: 'json' };

const [, , socket = ''] = process.argv;
const method = (name: string) => ({ requestType: `${name}Request`, responseType: `${name}Response` });
const methods = { Version: method('Version'), Encrypt: method('Encrypt'), Decrypt: method('Decrypt') };
const nested = { v1beta1: { nested: { ...descriptor.nested, KeyManagementService: { methods } } } };

interface Call {
  readonly request: { readonly plain: Buffer; readonly cipher: Buffer };
}
type Reply = (error: null, answer: object) => void;

// The package is what the descriptor above says.
const loaded = loadPackageDefinition(
  fromJSON({ nested } as unknown as Parameters<typeof fromJSON>[0]),
) as unknown as {
  readonly v1beta1: {
    readonly KeyManagementService: { readonly service: Parameters<Server['addService']>[0] };
  };
};
const server = new Server();
server.addService(loaded.v1beta1.KeyManagementService.service, {
  Version: (_: Call, reply: Reply) =>
    reply(null, { version: 'v1beta1', runtimeName: 'test', runtimeVersion: '1' }),
  Encrypt: ({ request }: Call, reply: Reply) =>
    reply(null, { cipher: Buffer.concat([Buffer.from([7]), request.plain.map((byte) => byte ^ 0x5a)]) }),
  Decrypt: ({ request }: Call, reply: Reply) =>
    reply(null, { plain: request.cipher.subarray(1).map((byte) => byte ^ 0x5a) }),
});
server.bindAsync(`unix://${socket}`, ServerCredentials.createInsecure(), (error) => {
  process.stdout.write(error === null ? 'ready\n' : `${error.message}\n`);
});
