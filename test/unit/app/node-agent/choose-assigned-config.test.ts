import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { chooseAssignedConfig } from '../../../../src/app/node-agent/choose-assigned-config.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { CheckpointStore } from '../../../../src/nodeagent/dynamic-config/index.ts';
import { AgentOptionsError, readAgentRequest } from '../../../../src/nodeagent/options/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { source } from '../../nodeagent/dynamic-config/sources.ts';

const head = 'apiVersion: nodeagent.config.orch.io/v1beta1\nkind: NodeAgentConfiguration\n';

describe('chooseAssignedConfig', () => {
  let folder: TemporaryDirectory;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    await writeFile(join(folder.path, 'local.yaml'), `${head}maxPods: 11\nclusterDomain: local.test\n`);
  });
  afterEach(() => folder.remove());

  const choose = (flags: readonly string[] = []) => {
    const common = [
      ...['--config=local.yaml', '--dynamic-config-dir=kept', '--fail-swap-on=false'],
      ...['--authorization-mode=AlwaysAllow', '--authentication-token-webhook=false'],
    ];
    const sources = {
      argv: [...common, ...flags],
      readFile: readFileSync,
      exists: () => true,
      hasCgroup: () => false,
      workingDirectory: folder.path,
    };
    const local = readAgentRequest(sources);
    if (local.kind !== 'run') throw new TypeError(`not a configuration to run: ${local.kind}`);
    return chooseAssignedConfig(local, sources);
  };
  const assign = async (text: string): Promise<void> => {
    const store = new CheckpointStore(join(folder.path, 'kept'), orchDialect);
    await store.prepare();
    await store.save(source(), new Map([['main', text]]));
    await store.write('assigned', source());
  };

  it('puts the assigned file in the place of that of --config, below the flags', async () => {
    await assign(`${head}maxPods: 42\npodsPerCore: 7\n`);
    const { config, dynamicConfig } = await choose(['--pods-per-core=3']);
    const { maxPods, podsPerCore, clusterDomain } = config;
    expect({ maxPods, podsPerCore, clusterDomain }).to.deep.equal({
      maxPods: 42,
      podsPerCore: 3,
      clusterDomain: '',
    });
    expect(dynamicConfig.state.active).to.deep.equal(source());
  });

  it('sees relative paths of the assigned file from its own folder', async () => {
    await assign(`${head}staticPodPath: pods\n`);
    const { config } = await choose();
    expect(config.podManifestPath).to.equal(join(folder.path, 'kept/store/checkpoints/u/7/pods'));
  });

  const wrong = [
    { text: '', failure: 'load', says: 'was empty' },
    { text: 'maxPods: 1', failure: 'load', says: "Object 'Kind' is missing" },
    { text: `${head}maxPods: many\n`, failure: 'load', says: 'failed to decode' },
    { text: `${head}maxPods: -1\n`, failure: 'validate', says: 'maxPods' },
    { text: `${head}featureGates: {Nope: true}\n`, failure: 'validate', says: 'Nope' },
    {
      text: `${head}featureGates: {DynamicNodeAgentConfig: false}\n`,
      failure: 'validate',
      says: 'must be enabled',
    },
    {
      text: `${head}authentication: {x509: {clientCAFile: /no/such}}\n`,
      failure: 'validate',
      says: '/no/such',
    },
  ];
  for (const { text, failure, says } of wrong) {
    it(`stays with the local file when the assigned one is ${JSON.stringify(text.replace(head, ''))}`, async () => {
      await assign(text);
      const { config, dynamicConfig } = await choose();
      expect(config.maxPods).to.equal(11);
      expect(dynamicConfig.status.error).to.equal(
        `failed to ${failure} config, see NodeAgent log for details`,
      );
      expect(dynamicConfig.complaints.join()).to.include(says);
    });
  }

  it('fails when the folder cannot be used', async () => {
    await writeFile(join(folder.path, 'kept'), '');
    const failure = await choose().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(AgentOptionsError);
    expect(String(failure)).to.include(join(folder.path, 'kept')).and.include('--dynamic-config-dir');
  });
});
