import { expect } from 'chai';
import { describe, it } from 'mocha';
import { createDialect } from '../../../../../src/machinery/dialect.ts';
import type { RunProgram } from '../../../../../src/nodeagent/host/index.ts';
import { openNetwork } from '../../../../../src/nodeagent/legacyrt/open-network.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { makeTemporaryDirectory } from '../../../../support/temporary-directory.ts';

const dialect = createDialect('kubernetes');

function open(networkPlugin: string, folder: string, run: RunProgram) {
  return openNetwork(
    {
      networkPlugin,
      cniConfDir: folder,
      cniBinDir: '',
      cniCacheDir: `${folder}/cache`,
      bridge: { mtuBytes: 0, hairpinMode: 'none', nonMasqueradeCidr: '10.0.0.0/8' },
      machine: { run, settingsRoot: folder },
      dialect,
      logger: createRecordingLogger(),
    },
    async () => new Set(),
  );
}

describe('openNetwork', () => {
  it('knows the bridge by its name in either dialect, and speaks that of its own', async () => {
    await using folder = await makeTemporaryDirectory();
    const run: RunProgram = async () => ({ code: 0, output: '' });
    for (const name of ['kubenet', 'orchnet']) {
      expect(await open(name, folder.path, run).problem()).to.equal(
        'kubenet does not have netConfig. This is most likely due to lack of PodCIDR',
      );
    }
    expect(() => open('weave', folder.path, run)).to.throw(RangeError, 'network plugin "weave" not found');
  });

  it('makes the rules of packets at once, and tries again when that failed', async () => {
    await using folder = await makeTemporaryDirectory();
    let isBroken = true;
    const calls: string[] = [];
    const run: RunProgram = async (program, args) => {
      calls.push([program, ...args].join(' '));
      return { code: isBroken ? 4 : 0, output: isBroken ? 'locked' : '' };
    };
    const network = open('kubenet', folder.path, run);
    expect(calls).to.deep.equal([]);
    expect(await network.problem()).to.equal('rules of POSTROUTING cannot be read: locked');
    isBroken = false;
    expect(await network.problem()).to.contain('lack of PodCIDR');
    expect(calls.at(-1)).to.contain('ip6tables');
    const count = calls.length;
    await network.problem();
    expect(calls).to.have.length(count);
  });
});
