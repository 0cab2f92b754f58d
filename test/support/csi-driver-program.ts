/**
 * A driver of the container storage interface as a process: `csi-driver-program.ts JSON`. Volumes are folders, or files
 * behind loop devices, below its folder. Each call becomes a line of its record; `fail.json` beside that, a list of
 * refusals by method, is used up one after another.
 */
import { execFile } from 'node:child_process';
import { appendFile, mkdir, open, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import csiDescriptor from '../../src/nodeagent/csi/protocol.json' with { type: 'json' };
import { GrpcError, type GrpcErrorCode } from '../../src/nodeagent/grpc/grpc-error.ts';
import registrationDescriptor from '../../src/nodeagent/plugin-registration/protocol.json' with {
  type: 'json',
};
import type { CsiDriverSettings } from './csi-driver.ts';
import { type GrpcMethod, serveGrpc } from './grpc-service.ts';

const settings: CsiDriverSettings = JSON.parse(process.argv[2] ?? '{}');
const { name, folder, registry, capabilities, info } = settings;
const run = promisify(execFile);
const textOf = (value: unknown): string => String(value ?? '');

const imageOf = (volume: string): string => join(folder, 'volumes', `${volume}.img`);
const folderOf = (volume: string): string => join(folder, 'volumes', volume);
const isBlock = (request: Record<string, unknown>): boolean =>
  Object(request.volume_capability).block !== undefined;

async function mountedAt(path: string): Promise<boolean> {
  return (await readFile('/proc/self/mountinfo', 'utf8')).includes(` ${path} `);
}

async function bind(source: string, target: string, isReadOnly: boolean): Promise<void> {
  if (await mountedAt(target)) return;
  await run('mount', ['--bind', source, target]);
  if (isReadOnly) await run('mount', ['-o', 'remount,bind,ro', target]);
}

async function loopOf(image: string): Promise<string> {
  const { stdout } = await run('losetup', ['-j', image, '-O', 'NAME', '-n']);
  return stdout.trim();
}

const methods: Record<string, GrpcMethod> = {
  NodeGetInfo: () => info,
  NodeGetCapabilities: () => ({ capabilities: capabilities.map((type) => ({ rpc: { type } })) }),
  async NodeStageVolume(request) {
    const volume = textOf(request.volume_id);
    if (isBlock(request)) {
      const image = imageOf(volume);
      await mkdir(join(folder, 'volumes'), { recursive: true });
      const file = await open(image, 'a');
      await file.truncate(16 << 20);
      await file.close();
      if ((await loopOf(image)) === '') await run('losetup', ['-f', image]);
      return {};
    }
    await mkdir(folderOf(volume), { recursive: true });
    await bind(folderOf(volume), textOf(request.staging_target_path), false);
    return {};
  },
  async NodeUnstageVolume(request) {
    const path = textOf(request.staging_target_path);
    if (await mountedAt(path)) await run('umount', [path]);
    const device = await loopOf(imageOf(textOf(request.volume_id)));
    if (device !== '') await run('losetup', ['-d', device]);
    return {};
  },
  async NodePublishVolume(request) {
    const [volume, target] = [textOf(request.volume_id), textOf(request.target_path)];
    if (isBlock(request)) {
      await writeFile(target, '', { flag: 'a' });
      await bind(await loopOf(imageOf(volume)), target, false);
      return {};
    }
    await mkdir(folderOf(volume), { recursive: true });
    await mkdir(target, { recursive: true });
    await bind(textOf(request.staging_target_path) || folderOf(volume), target, request.readonly === true);
    return {};
  },
  async NodeUnpublishVolume(request) {
    const target = textOf(request.target_path);
    if (await mountedAt(target)) await run('umount', [target]);
    await rm(target, { recursive: true, force: true });
    return {};
  },
  NodeExpandVolume: (request) => ({
    capacity_bytes: Number(Object(request.capacity_range).required_bytes),
  }),
  async NodeGetVolumeStats(request) {
    const { bsize, blocks, bavail } = await statfs(textOf(request.volume_path));
    return {
      usage: [
        { unit: 1, total: blocks * bsize, available: bavail * bsize, used: 4711 },
        { unit: 2, total: 100, available: 90, used: 10 },
      ],
    };
  },
};

async function takeRefusal(method: string): Promise<void> {
  const file = join(folder, 'fail.json');
  const refusals: Record<string, [GrpcErrorCode, string][]> = JSON.parse(
    await readFile(file, 'utf8').catch(() => '{}'),
  );
  const refusal = refusals[method]?.shift();
  if (refusal === undefined) return;
  await writeFile(file, JSON.stringify(refusals));
  throw new GrpcError(...refusal);
}

const recorded = Object.entries(methods).map(([method, answer]): [string, GrpcMethod] => [
  method,
  async (request) => {
    await appendFile(join(folder, 'record'), `${JSON.stringify([method, request])}\n`);
    await takeRefusal(method);
    return answer(request);
  },
]);

const endpoint = join(folder, 'csi.sock');
await serveGrpc(endpoint, [
  { service: 'csi.v1.Node', descriptor: csiDescriptor, methods: Object.fromEntries(recorded) },
]);
await serveGrpc(join(registry, `${name}-reg.sock`), [
  {
    service: 'pluginregistration.Registration',
    descriptor: registrationDescriptor,
    methods: {
      GetInfo: () => ({ type: 'CSIPlugin', name, endpoint, supported_versions: settings.versions }),
      async NotifyRegistrationStatus(status) {
        await appendFile(join(folder, 'record'), `${JSON.stringify(['Registered', status])}\n`);
        return {};
      },
    },
  },
]);
process.stdout.write('ready\n');
