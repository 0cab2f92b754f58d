import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeDeviceManager, startDevices } from '../../../../src/app/node-agent/make-device-manager.ts';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { createAgentMetrics } from '../../../../src/nodeagent/api/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { agentConfig } from '../../nodeagent/agent-config.ts';

describe('makeDeviceManager', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  const cases: readonly (readonly [flags: readonly string[], plugins: boolean, podResources: boolean])[] = [
    [[], true, true],
    [['--topology-manager-policy=best-effort'], true, true],
    [['--feature-gates=DevicePlugins=false'], false, true],
    [['--feature-gates=NodeAgentPodResources=false'], true, false],
  ];
  for (const [flags, hasPlugins, hasPodResources] of cases) {
    it(`listens for ${hasPlugins ? '' : 'no '}plugins, ${hasPodResources ? '' : 'not '}for questions, with ${flags.join(' ') || 'no options'}`, async () => {
      const config = agentConfig([`--root-dir=${directory.path}`, ...flags]);
      const metrics = createAgentMetrics({ nodeName: 'n', dialect: orchDialect, startedAtMs: 0 });
      const base = { config, metrics, dialect: orchDialect, clock: systemClock, logger: silentLogger };
      const devices = await makeDeviceManager(base, {
        table: { standingOf: () => 'desired' },
        cpus: undefined,
        notifier: { notify() {} },
      });
      await using stack = new AsyncDisposableStack();
      await startDevices(base, { table: { allPods: () => [] }, devices, cpus: undefined }, stack);
      const has = (folder: string): boolean => existsSync(join(directory.path, folder, 'nodeagent.sock'));
      expect([has('device-plugins'), has('pod-resources')]).to.deep.equal([hasPlugins, hasPodResources]);
    });
  }
});
