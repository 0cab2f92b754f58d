import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/index.ts';
import { GrpcError } from '../../../src/nodeagent/grpc/grpc-error.ts';
import {
  type PluginHandler,
  type PluginInfo,
  PluginWatcher,
} from '../../../src/nodeagent/plugin-registration/index.ts';
import descriptor from '../../../src/nodeagent/plugin-registration/protocol.json' with { type: 'json' };
import { eventually } from '../../support/eventually.ts';
import { serveGrpc } from '../../support/grpc-service.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

describe('the watcher of plugins', () => {
  let directory: TemporaryDirectory;
  let folder: string;
  let stack: AsyncDisposableStack;
  let logger: ReturnType<typeof createRecordingLogger>;
  /** What the handler was called with, in order. */
  let calls: string[];
  /** What each plugin was told, by the name of its socket. */
  let told: [string, { plugin_registered?: unknown; error?: unknown }][];
  /** Failures to come of the handler's steps, used up one after another. */
  let failures: { validate?: string[]; register?: string[]; unregister?: string[] };

  const act = (step: keyof typeof failures, { name, endpoint, versions }: PluginInfo): void => {
    calls.push([step, name, endpoint, ...versions].join(' ').replaceAll(directory.path, ''));
    const failure = failures[step]?.shift();
    if (failure !== undefined) throw new Error(failure);
  };
  const handler: PluginHandler = {
    validate: async (plugin) => act('validate', plugin),
    register: async (plugin) => act('register', plugin),
    unregister: async (plugin) => act('unregister', plugin),
  };
  const watch = async (): Promise<void> => {
    const watcher = new PluginWatcher({
      folder,
      handlers: { CSIPlugin: handler },
      clock: systemClock,
      logger,
    });
    stack.use(watcher);
    await watcher.start();
  };
  const plug = async (socket: string, info: object = {}): Promise<AsyncDisposable> => {
    const path = join(folder, socket);
    const given = { type: 'CSIPlugin', name: 'a.test', endpoint: '', supported_versions: ['1.0.0'], ...info };
    const service = await serveGrpc(path, [
      {
        service: 'pluginregistration.Registration',
        descriptor,
        methods: {
          GetInfo: () => given,
          NotifyRegistrationStatus(status) {
            told.push([socket, status]);
            return {};
          },
        },
      },
    ]);
    return stack.use(service);
  };
  const untilTold = (count: number) => eventually(async () => (told.length >= count ? told : undefined));
  const untilCalls = (count: number) => eventually(async () => (calls.length >= count ? calls : undefined));

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    folder = join(directory.path, 'plugins_registry');
    await mkdir(folder);
    stack = new AsyncDisposableStack();
    logger = createRecordingLogger();
    calls = [];
    told = [];
    failures = {};
  });
  afterEach(async () => {
    await stack.disposeAsync();
    await directory.remove();
  });

  it('registers plugins that were there before, and those that come', async () => {
    await plug('a.sock', { endpoint: '/plugins/a/csi.sock' });
    await watch();
    expect(await untilTold(1)).to.deep.equal([['a.sock', { plugin_registered: true, error: '' }]]);
    await mkdir(join(folder, 'sub'));
    await plug('sub/b.sock', { name: 'b.test', supported_versions: ['0.3.0', '1.2.0'] });
    await untilTold(2);
    expect(calls).to.deep.equal([
      'validate a.test /plugins/a/csi.sock 1.0.0',
      'register a.test /plugins/a/csi.sock 1.0.0',
      'validate b.test /plugins_registry/sub/b.sock 0.3.0 1.2.0',
      'register b.test /plugins_registry/sub/b.sock 0.3.0 1.2.0',
    ]);
  });

  it('gives up a plugin whose socket is gone', async () => {
    const plugin = await plug('a.sock');
    await watch();
    await untilTold(1);
    await plugin[Symbol.asyncDispose]();
    expect((await untilCalls(3))[2]).to.equal('unregister a.test /plugins_registry/a.sock 1.0.0');
  });

  it('registers a plugin anew whose socket was made anew', async () => {
    await plug('a.sock');
    await watch();
    await untilTold(1);
    await plug('.new', { supported_versions: ['1.2.0'] });
    await rename(join(folder, '.new'), join(folder, 'a.sock'));
    expect((await untilCalls(5)).slice(2)).to.deep.equal([
      'unregister a.test /plugins_registry/a.sock 1.0.0',
      'validate a.test /plugins_registry/a.sock 1.2.0',
      'register a.test /plugins_registry/a.sock 1.2.0',
    ]);
  });

  it('tells a plugin why it is refused, and tries again', async () => {
    failures = { validate: ['too old'], register: ['no node id'] };
    await plug('a.sock');
    await watch();
    expect((await untilTold(3)).map(([, { error }]) => error)).to.deep.equal([
      'RegisterPlugin error -- plugin validation failed with err: too old',
      'RegisterPlugin error -- plugin registration failed with err: no node id',
      '',
    ]);
  });

  it('refuses types that nobody serves', async () => {
    await plug('a.sock', { type: 'Other' });
    await watch();
    const [first] = await untilTold(1);
    expect(first).to.deep.equal([
      'a.sock',
      {
        plugin_registered: false,
        error: `RegisterPlugin error -- no handler registered for plugin type: Other at socket ${folder}/a.sock`,
      },
    ]);
    expect(calls).to.deep.equal([]);
  });

  it('refuses names and lists that are out of bounds', async () => {
    await plug('a.sock', { name: 'a'.repeat(254) });
    await watch();
    const [[, status] = []] = await untilTold(1);
    expect(status?.error).to.match(
      /^RegisterPlugin error -- plugin validation failed with err: expected a name/,
    );
    expect(calls).to.deep.equal([]);
  });

  it('tries again to give a plugin up', async () => {
    failures = { unregister: ['busy'] };
    const plugin = await plug('a.sock');
    await watch();
    await untilTold(1);
    await plugin[Symbol.asyncDispose]();
    expect((await untilCalls(4)).slice(2)).to.deep.equal([
      'unregister a.test /plugins_registry/a.sock 1.0.0',
      'unregister a.test /plugins_registry/a.sock 1.0.0',
    ]);
  });

  it('leaves files and hidden sockets alone, and says what does not answer', async () => {
    await writeFile(join(folder, 'file'), '');
    await plug('.hidden.sock');
    await serveGrpc(join(folder, 'mute.sock'), []).then((service) => stack.use(service));
    await watch();
    const line = await eventually(async () => logger.lines.find(({ level }) => level === 'error'));
    expect(line.fields.error).to.equal(
      `RegisterPlugin error -- failed to get plugin info using RPC GetInfo at socket ${folder}/mute.sock, err: ` +
        new GrpcError(
          'Unimplemented',
          'The server does not implement the method /pluginregistration.Registration/GetInfo',
        ).message,
    );
    expect(told).to.deep.equal([]);
  });
});
