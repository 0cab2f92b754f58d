import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { CsiDrivers, CsiNode } from '../../../src/nodeagent/csi/index.ts';
import { PluginWatcher } from '../../../src/nodeagent/plugin-registration/index.ts';
import { type CsiDriverProcess, startCsiDriver } from '../../support/csi-driver.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

describe('drivers of the container storage interface', () => {
  let directory: TemporaryDirectory;
  let stack: AsyncDisposableStack;
  let drivers: CsiDrivers;

  const start = async (more: Partial<Parameters<typeof startCsiDriver>[0]> = {}): Promise<CsiDriverProcess> =>
    stack.use(
      await startCsiDriver({
        folder: join(directory.path, 'driver'),
        registry: join(directory.path, 'registry'),
        ...more,
      }),
    );
  const untilTold = (process: CsiDriverProcess) =>
    eventually(async () => (await process.calls()).find(([method]) => method === 'Registered')?.[1]);

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    stack = new AsyncDisposableStack();
    const common = { dialect: orchDialect, logger: silentLogger, clock: systemClock };
    // Without an API server no driver can be shown.
    const csiNode = new CsiNode({ ...common, client: undefined, nodeName: 'n', migratedPlugins: [] });
    drivers = new CsiDrivers({ ...common, csiNode });
    stack.use(drivers);
    const folder = join(directory.path, 'registry');
    const watcher = new PluginWatcher({ folder, handlers: { CSIPlugin: drivers }, ...common });
    await watcher.start();
    stack.use(watcher);
  });
  afterEach(async () => {
    await stack.disposeAsync();
    await directory.remove();
  });

  it('are refused with versions that nobody speaks any more', async () => {
    expect(await untilTold(await start({ versions: ['0.3.0'] }))).to.deep.equal({
      plugin_registered: false,
      error:
        'RegisterPlugin error -- plugin validation failed with err: orch.io/csi: ValidatePlugin for CSI driver "folders.test" failed. ' +
        'None of the versions specified ["0.3.0"] are supported. err=highest supported version reported by driver is 0.3.0, must be v1.x',
    });
  });

  it('are not usable where they cannot be shown', async () => {
    expect(await untilTold(await start())).to.deep.equal({
      plugin_registered: false,
      error:
        'RegisterPlugin error -- plugin registration failed with err: error updating Node object with CSI driver node info: error getting orch client',
    });
    expect(() => drivers.get('folders.test')).to.throw(
      'driver name folders.test not found in the list of registered CSI drivers',
    );
  });

  it('are refused when one of the same name and version serves', async () => {
    const csiNode = new CsiNode({
      client: undefined,
      nodeName: 'n',
      migratedPlugins: [],
      dialect: orchDialect,
      clock: systemClock,
      logger: silentLogger,
    });
    csiNode.install = async () => {};
    csiNode.uninstall = async () => {};
    using both = new CsiDrivers({ csiNode, dialect: orchDialect, logger: silentLogger });
    const process = await start();
    const plugin = { name: 'a.test', endpoint: join(process.folder, 'csi.sock'), versions: ['1.0.0'] };
    await both.register(plugin);
    const error = await both.validate(plugin).catch((reason: unknown) => reason);
    expect(String(error)).to.equal(
      'Error: orch.io/csi: ValidatePlugin for CSI driver "a.test" failed. Another driver with the same name is already registered with a higher supported version: "1.0.0"',
    );
    await both.validate({ ...plugin, versions: ['1.1.0'] });
    await both.unregister(plugin);
    await both.validate(plugin);
  });
});
