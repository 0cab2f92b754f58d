/**
 * A device plugin as a program of its own: `node device-plugin.ts FOLDER AGENT-SOCKET SOCKET RESOURCE OPTIONS`. Devices come
 * as lines of JSON on standard input, each the whole list; what it is asked goes to standard output, a line of JSON each.
 * Options: `pre-start`, `prefers` (the highest ids), `refuses` (allocations), `refuses-start`.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import {
  type PluginMethods,
  pluginService,
  type RegistrationMethods,
  registrationService,
} from '../../src/nodeagent/devices/plugin-messages.ts';
import { GrpcError } from '../../src/nodeagent/grpc/grpc-error.ts';
import { ServiceClient } from '../../src/nodeagent/grpc/service-client.ts';
import { ServiceCodec } from '../../src/nodeagent/grpc/service-codec.ts';

const [folder = '', agentSocket = '', socket = '', resource = '', options = ''] = process.argv.slice(2);
const can = new Set(options.split(','));
const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

const pluginOptions = {
  pre_start_required: can.has('pre-start'),
  get_preferred_allocation_available: can.has('prefers'),
};

let devices: readonly object[] = [];
const watchers = new Set<{ write(value: object): void }>();
createInterface({ input: process.stdin }).on('line', (line) => {
  devices = JSON.parse(line) as readonly object[]; // the test writes it
  for (const watcher of watchers) watcher.write({ devices });
});

interface Call<Request> {
  readonly request: Request;
}
type Answer = (error: object | null, value?: object) => void;
interface ContainerIds {
  readonly devicesIDs: readonly string[];
}

const codec = new ServiceCodec<PluginMethods>(pluginService);
const methodOf = (name: keyof PluginMethods) => {
  const { path, encodeRequest, decodeRequest, encodeAnswer, decodeAnswer } = codec.methodOf(name);
  return {
    path,
    requestStream: false,
    responseStream: name === 'ListAndWatch',
    requestSerialize: encodeRequest,
    requestDeserialize: decodeRequest,
    responseSerialize: encodeAnswer,
    responseDeserialize: decodeAnswer,
  };
};
const methods = {
  GetDevicePluginOptions: methodOf('GetDevicePluginOptions'),
  ListAndWatch: methodOf('ListAndWatch'),
  GetPreferredAllocation: methodOf('GetPreferredAllocation'),
  Allocate: methodOf('Allocate'),
  PreStartContainer: methodOf('PreStartContainer'),
};

const server = new Server();
server.addService(methods, {
  GetDevicePluginOptions: (_: unknown, answer: Answer) => answer(null, pluginOptions),
  ListAndWatch: (stream: { write(value: object): void; on(event: string, listener: () => void): void }) => {
    watchers.add(stream);
    stream.on('cancelled', () => watchers.delete(stream));
    stream.write({ devices });
  },
  GetPreferredAllocation: (
    call: Call<{
      container_requests: readonly {
        readonly available_deviceIDs: readonly string[];
        readonly must_include_deviceIDs: readonly string[];
        readonly allocation_size: number;
      }[];
    }>,
    answer: Answer,
  ) => {
    say({ prefer: call.request.container_requests });
    const container_responses = call.request.container_requests.map((one) => {
      const others = one.available_deviceIDs.filter((id) => !one.must_include_deviceIDs.includes(id));
      const count = one.allocation_size - one.must_include_deviceIDs.length;
      return { deviceIDs: [...one.must_include_deviceIDs, ...[...others].sort().slice(-count)] };
    });
    answer(null, { container_responses });
  },
  Allocate: (call: Call<{ container_requests: readonly ContainerIds[] }>, answer: Answer) => {
    say({ allocate: call.request.container_requests.map(({ devicesIDs }) => devicesIDs) });
    if (can.has('refuses')) return answer({ code: status.RESOURCE_EXHAUSTED, details: 'all broken' });
    answer(null, {
      container_responses: call.request.container_requests.map(({ devicesIDs }) => ({
        envs: { DEVICES: devicesIDs.join(',') },
        mounts: [{ container_path: '/vendor', host_path: folder, read_only: true }],
        devices: [{ container_path: '/dev/vendor', host_path: '/dev/null', permissions: 'rw' }],
        annotations: { 'vendor.com/devices': devicesIDs.join(',') },
      })),
    });
  },
  PreStartContainer: (call: Call<ContainerIds>, answer: Answer) => {
    say({ preStart: call.request.devicesIDs });
    if (can.has('refuses-start')) return answer({ code: status.INTERNAL, details: 'no reset' });
    answer(null, {});
  },
});

await rm(join(folder, socket), { force: true }); // that of a plugin before
await new Promise<void>((resolve, reject) =>
  server.bindAsync(`unix:${join(folder, socket)}`, ServerCredentials.createInsecure(), (error) =>
    error === null ? resolve() : reject(error),
  ),
);
const agent = new ServiceClient<RegistrationMethods>(join(folder, agentSocket), registrationService);
const request = { version: 'v1beta1', endpoint: socket, resource_name: resource, options: pluginOptions };
try {
  await agent.call('Register', request, { timeoutMs: 10_000 });
  say({ registered: true });
} catch (error) {
  if (!(error instanceof GrpcError)) throw error;
  say({ refused: error.details });
}
