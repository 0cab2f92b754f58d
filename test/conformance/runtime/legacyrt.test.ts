import { readFileSync } from 'node:fs';
import { after, before, describe } from 'mocha';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { createLegacyRuntime } from '../../../src/nodeagent/legacyrt/index.ts';
import { testImages } from '../../support/containerd-images.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { requireEngine } from '../../support/require-engine.ts';
import { describeRuntime, type OpenRuntime } from './suite.ts';

describe('engine', () => {
  let engine: TestEngine | undefined;
  const started = (): TestEngine => {
    if (engine === undefined) throw new Error('used before the tests have begun');
    return engine;
  };

  requireEngine();
  before(async () => {
    engine = await startEngine();
  });
  after(() => engine?.[Symbol.asyncDispose]());

  const open: OpenRuntime = () => ({
    ...started(),
    openDriver: ({ requestTimeoutMs }) =>
      createLegacyRuntime({
        ...started(),
        requestTimeoutMs,
        sandboxImage: testImages.pause,
        networkPlugin: 'cni',
        bridge: { mtuBytes: 0, hairpinMode: 'none', nonMasqueradeCidr: '0.0.0.0/0' },
        cgroupDriver: 'cgroupfs',
        imagePullProgressDeadlineMs: 60_000,
        dialect: orchDialect,
        clock: systemClock,
        logger: silentLogger,
      }),
  });
  describeRuntime('the engine, with networks by plugins', open, { hasPrivileged: hasAllCapabilities() });
});

/** The engine gives privileged containers every capability that the kernel knows. */
function hasAllCapabilities(): boolean {
  const status = readFileSync('/proc/self/status', 'utf8');
  const bitsOf = (name: string): string =>
    new RegExp(`^${name}:\\s*([0-9a-f]+)$`, 'm').exec(status)?.[1] ?? '';
  const last = Number(readFileSync('/proc/sys/kernel/cap_last_cap', 'utf8'));
  return BigInt(`0x${bitsOf('CapBnd')}`) === (1n << BigInt(last + 1)) - 1n;
}
