import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { readCredentialProviders } from '../../../../src/nodeagent/images/credential-provider-config.ts';
import { createCredentialProviders } from '../../../../src/nodeagent/images/credential-providers.ts';
import { openCredentialSources } from '../../../../src/nodeagent/images/index.ts';
import type { CredentialProgram } from '../../../../src/nodeagent/images/run-credential-provider.ts';
import type { AgentConfig } from '../../../../src/nodeagent/options/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

const image = 'r.example.com/team/app';
const providers = readCredentialProviders(
  Buffer.from(`
kind: CredentialProviderConfig
apiVersion: nodeagent.config.orch.io/v1alpha1
providers:
- name: helper
  apiVersion: credentialprovider.nodeagent.orch.io/v1alpha1
  matchImages: ['*.example.com', 'other.test:5000/team']
  defaultCacheDuration: 1m30s
  args: [get, -v]
  env:
  - {name: REGION, value: r1}
`),
);

describe('readCredentialProviders', () => {
  it('reads what a provider is, and how it is run', () => {
    expect(providers).to.deep.equal([
      {
        name: 'helper',
        matchImages: ['*.example.com', 'other.test:5000/team'],
        defaultCacheMs: 90_000,
        parameters: ['get', '-v'],
        environment: { REGION: 'r1' },
      },
    ]);
  });
});

describe('createCredentialProviders', () => {
  let clock: ManualClock;
  let programs: CredentialProgram[];
  const logger = createRecordingLogger();

  beforeEach(() => {
    clock = new ManualClock();
    programs = [];
    logger.lines.length = 0;
  });

  const open = (answer: unknown, dialect = orchDialect) => {
    const [source] = createCredentialProviders({
      providers,
      binDirectory: '/bin/providers',
      environment: { PATH: '/bin', REGION: 'r0' },
      dialect,
      clock,
      logger,
      run: async (program) => {
        programs.push(program);
        return typeof answer === 'string' ? answer : JSON.stringify(answer);
      },
    });
    if (source === undefined) throw new Error('no source');
    return source;
  };
  const answerOf = (fields: object) => ({
    kind: 'CredentialProviderResponse',
    apiVersion: 'credentialprovider.nodeagent.orch.io/v1alpha1',
    cacheKeyType: 'Image',
    auth: {
      '*.example.com': { username: 'u', password: 'p' },
      'else.test': { username: 'x', password: 'y' },
    },
    ...fields,
  });

  it('asks the program of images that it is meant for, in its protocol', async () => {
    const source = open(answerOf({}));
    expect(await source.find(image)).to.deep.equal([{ username: 'u', password: 'p' }]);
    expect(await source.find('docker.io/library/busybox')).to.deep.equal([]);
    expect(programs).to.deep.equal([
      {
        path: '/bin/providers/helper',
        parameters: ['get', '-v'],
        environment: { PATH: '/bin', REGION: 'r1' },
        input: `{"kind":"CredentialProviderRequest","apiVersion":"credentialprovider.nodeagent.orch.io/v1alpha1","image":"${image}"}`,
      },
    ]);
  });

  it('speaks the dialect', async () => {
    const dialect = createDialect('kubernetes');
    const apiVersion = dialect.spell('credentialprovider.nodeagent.orch.io/v1alpha1');
    expect(await open(answerOf({ apiVersion }), dialect).find(image)).to.have.length(1);
    expect(programs[0]?.input).to.include(apiVersion).and.not.include('orch');
  });

  /** [answer, images that are asked for, how often the program runs, milliseconds between]. */
  const cached = [
    [{}, [image, image], 1, 89_999],
    [{}, [image, image], 2, 90_000],
    [{ cacheDuration: '10s' }, [image, image], 2, 10_000],
    [{ cacheDuration: '0s' }, [image, image], 2, 0],
    [{}, [image, 'r.example.com/other'], 2, 0],
    [{ cacheKeyType: 'Registry' }, [image, 'r.example.com/other'], 1, 0],
    [{ cacheKeyType: 'Registry' }, [image, 's.example.com/other'], 2, 0],
    [{ cacheKeyType: 'Global' }, [image, 's.example.com/other'], 1, 0],
  ] as const;
  for (const [fields, images, runs, betweenMs] of cached) {
    it(`runs ${runs} times for ${images.join(' ')} after ${betweenMs} ms with ${JSON.stringify(fields)}`, async () => {
      const source = open(answerOf(fields));
      for (const each of images) {
        expect(await source.find(each)).to.have.length(1);
        clock.advance(betweenMs);
      }
      expect(programs).to.have.length(runs);
    });
  }

  it('asks once when many want the same at the same time', async () => {
    const source = open(answerOf({ cacheDuration: '0s' }));
    await Promise.all([source.find(image), source.find(image)]);
    expect(programs).to.have.length(1);
  });

  for (const answer of [
    'secret',
    '[]',
    answerOf({ kind: 'Other' }),
    answerOf({ apiVersion: 'v2' }),
    answerOf({ cacheKeyType: 'Any' }),
    answerOf({ cacheDuration: 'soon' }),
  ]) {
    it(`knows nothing after ${JSON.stringify(answer).slice(0, 90)}, and asks again`, async () => {
      const source = open(answer);
      expect(await source.find(image)).to.deep.equal([]);
      expect(await source.find(image)).to.deep.equal([]);
      expect(programs).to.have.length(2);
      expect(logger.lines).to.have.length(2);
      expect(String(logger.lines[0]?.fields.error)).to.not.include('secret');
    });
  }
});

describe('openCredentialSources', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  const open = (isOn: boolean, config: Partial<AgentConfig> = {}) =>
    openCredentialSources({
      config: {
        rootDir: join(directory.path, 'root'),
        imageCredentialProviderBinDir: directory.path,
        imageCredentialProviderConfig: join(directory.path, 'providers.yaml'),
        // Other features do not matter.
        features: { NodeAgentCredentialProviders: isOn } as AgentConfig['features'],
        ...config,
      },
      homeFolder: directory.path,
      environment: { PATH: '/bin:/usr/bin' },
      dialect: orchDialect,
      clock: new ManualClock(),
      logger: silentLogger,
    });
  const found = async (sources: Awaited<ReturnType<typeof open>>): Promise<unknown[]> =>
    (await Promise.all(sources.map((source) => source.find(image)))).flat().map(({ username }) => username);
  const login = (username: string): object => ({ 'r.example.com': { username, password: 'p' } });

  it('takes the first file that can be used, each time anew', async () => {
    const sources = await open(false);
    const { path } = directory;
    expect(await found(sources)).to.deep.equal([]);
    await writeFile(join(path, '.dockercfg'), JSON.stringify(login('legacy')));
    expect(await found(sources)).to.deep.equal(['legacy']);
    await mkdir(join(path, '.docker'));
    await writeFile(join(path, '.docker/config.json'), JSON.stringify({ auths: login('user') }));
    expect(await found(sources)).to.deep.equal(['user']);
    await mkdir(join(path, 'root'));
    await writeFile(join(path, 'root/config.json'), '{');
    expect(await found(sources)).to.deep.equal(['user']);
    await writeFile(join(path, 'root/config.json'), JSON.stringify({ auths: login('agent') }));
    expect(await found(sources)).to.deep.equal(['agent']);
  });

  it('runs programs of providers only with their feature', async () => {
    const { path } = directory;
    const response = {
      kind: 'CredentialProviderResponse',
      apiVersion: 'credentialprovider.nodeagent.orch.io/v1alpha1',
      cacheKeyType: 'Image',
      auth: login('$WHO'),
    };
    const text = JSON.stringify(response).replaceAll('"', '\\"');
    const provider = { name: 'helper', matchImages: ['*.example.com'], defaultCacheDuration: '0s' };
    const settings = { providers: [{ ...provider, env: [{ name: 'WHO', value: 'program' }] }] };
    await writeFile(join(path, 'providers.yaml'), JSON.stringify(settings));
    await writeFile(
      join(path, 'helper'),
      `#!/bin/sh\nread -r line\ncase $line in *'"image":"${image}"'*) echo "${text}";; esac\n`,
    );
    await chmod(join(path, 'helper'), 0o700);
    expect(await found(await open(true))).to.deep.equal(['program']);
    expect(await found(await open(false))).to.deep.equal([]);
  });

  it('does without a program that fails', async () => {
    const provider = { name: 'missing', matchImages: ['*.example.com'], defaultCacheDuration: '0s' };
    await writeFile(join(directory.path, 'providers.yaml'), JSON.stringify({ providers: [provider] }));
    expect(await found(await open(true))).to.deep.equal([]);
  });
});
