import { expect } from 'chai';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { configz } from '../../../../src/nodeagent/options/index.ts';
import { fileHead, load, openFile, start } from './start.ts';

const flag = '--config=agent.yaml';
const texts = (file: string, ...argv: string[]) =>
  start([flag, ...argv], file).problems.map(({ text }) => text);

describe('the configuration file', () => {
  it('gives defaults of its own', () => {
    const { config } = load([flag, '--orchconfig=/x'], fileHead);
    expect([
      config.authorizationMode,
      config.anonymousAuth,
      config.authenticationTokenWebhook,
      config.readOnlyPort,
    ]).to.deep.equal(['Webhook', false, true, 0]);
    const without = load([]).config;
    expect([
      without.authorizationMode,
      without.anonymousAuth,
      without.authenticationTokenWebhook,
      without.readOnlyPort,
    ]).to.deep.equal(['AlwaysAllow', true, false, 10255]);
  });

  it('takes zero and null for the default, except in fields that may be null', () => {
    const { config } = load(
      [flag],
      `${openFile}maxPods: 0\nport: null\nhealthzPort: 0\nsyncFrequency: 0s\nfailSwapOn: null\nevictionHard: {}\n`,
    );
    expect([
      config.maxPods,
      config.port,
      config.healthzPort,
      config.syncFrequencyMs,
      config.failSwapOn,
    ]).to.deep.equal([110, 10250, 0, 60_000, true]);
    expect(config.evictionThresholds).to.deep.equal([]);
  });

  it('reports all values of a wrong type together, with their fields', () => {
    const found = texts(
      `${openFile}maxPods: many\nclusterDNS: 10.0.0.10\nsyncFrequency: null\nlogging: 5\nevictionHard: {memory.available: 5}\n`,
    );
    expect(
      found.map(
        (text) => /error failed to decode: v1beta1\.NodeAgentConfiguration\.([\w.]+): /.exec(text)?.[1],
      ),
    ).to.have.members(['maxPods', 'clusterDNS', 'syncFrequency', 'logging', 'evictionHard']);
    expect(found[0]).to.include('/etc/agent.yaml');
  });

  it('refuses numbers that do not fit', () => {
    for (const value of ['99999999999', '1.5', '123456789012345678901234567890', '.inf']) {
      expect(texts(`${openFile}maxPods: ${value}\n`), value).to.have.length(1);
    }
  });

  it('warns of unknown and repeated fields with their lines', () => {
    const { warnings, config } = load(
      [flag],
      `${openFile}maxPods: 1\nfoo: 1\nmaxPods: 2\nauthentication: {webhook: {enabled: false, ttl: 1s}}\nauthorization: {mode: AlwaysAllow}\nevictionHard: {memory.available: 1Gi, memory.available: 2Gi}\n`,
    );
    expect(config.maxPods).to.equal(2);
    expect(warnings).to.deep.equal([
      'using lenient decoding as strict decoding failed: strict decoder error for kind: NodeAgentConfiguration: ' +
        'line 6: unknown field "foo"; line 7: field "maxPods" is given twice, the last one counts; ' +
        'line 8: field "authentication" is given twice, the last one counts; line 8: unknown field "authentication.webhook.ttl"; ' +
        'line 9: field "authorization" is given twice, the last one counts; ' +
        'line 10: field "evictionHard.memory.available" is given twice, the last one counts',
    ]);
  });

  it('makes the same an error with --strict-config', () => {
    expect(texts(`${openFile}foo: 1\n`, '--strict-config')).to.deep.equal([
      'failed to load NodeAgent config file /etc/agent.yaml, error line 5: unknown field "foo"',
    ]);
    expect(texts(openFile, '--strict-config')).to.deep.equal([]);
  });

  it('tells no more than a few of many strays', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `x${index}: 1\n`).join('');
    const [warning = ''] = load([flag], openFile + many).warnings;
    expect(warning).to.match(/; and 4980 more$/);
  });

  it('resolves its own relative paths from its folder, and leaves those of flags alone', () => {
    const file = `${openFile}staticPodPath: pods\nresolvConf: ../resolv.conf\nvolumePluginDir: plugins\n`;
    const { config } = load([flag, '--root-dir=data'], file);
    expect([config.podManifestPath, config.resolvConf, config.volumePluginDir, config.rootDir]).to.deep.equal(
      ['/etc/pods', '/resolv.conf', '/etc/plugins', 'data'],
    );
  });

  it('is refused when it is too large, and not repeated as a whole when it has no kind', () => {
    expect(texts(`${openFile}#${'x'.repeat(1024 * 1024)}`)).to.deep.equal([
      'failed to load NodeAgent config file /etc/agent.yaml, error nodeagent config file "/etc/agent.yaml" has more than 1048576 bytes',
    ]);
    const [text = ''] = texts(`maxPods: 5 #${'x'.repeat(100_000)}`);
    expect(text).to.include("Object 'Kind' is missing in 'maxPods: 5 #xxx");
    expect(text.length).to.be.below(5000);
  });

  it('is refused when it is missing', () => {
    expect(start(['--config=/none']).problems.map(({ text }) => text)).to.deep.equal([
      'failed to load NodeAgent config file /none, error failed to read nodeagent config file "/none", error: open /none: no such file or directory',
    ]);
  });

  it('reads the other dialect', () => {
    const dialect = createDialect('kubernetes');
    const spell = (text: string) => dialect.spell(text);
    const head = openFile
      .replace('NodeAgentConfiguration', spell('NodeAgentConfiguration'))
      .replace('nodeagent.config.orch.io/v1beta1', spell('nodeagent.config.orch.io/v1beta1'));
    const { config, warnings } = load(
      [flag, '--dialect=kubernetes'],
      `${head}${spell('orchAPIQPS')}: 7\nfeatureGates: {${spell('DynamicNodeAgentConfig')}: false}\n`,
    );
    expect([config.orchApiQps, config.features.DynamicNodeAgentConfig, warnings]).to.deep.equal([
      7,
      false,
      [],
    ]);
    expect(config.orchApiContentType).to.equal(dialect.protobufMediaType);
    const chosen = load([flag, '--dialect=kubernetes', `--container-runtime=${spell('legacyrt')}`], head);
    expect(chosen.config.containerRuntime).to.equal('legacyrt');
    expect(start([flag, '--dialect=kubernetes'], openFile).problems).to.have.length(1);
  });

  const reserved: readonly (readonly [flags: readonly string[], system: unknown, own: unknown])[] = [
    [['--system-reserved=cpu=250m,memory=1Gi'], { cpu: '2', memory: '1Gi' }, undefined],
    [
      ['--system-reserved=memory=1Gi', '--orch-reserved=cpu=1,memory=2Gi'],
      { cpu: '2', memory: '1Gi' },
      { memory: '2Gi' },
    ],
    [['--orch-reserved=cpu=1'], undefined, undefined],
    [[], undefined, undefined],
  ];
  for (const [flags, system, own] of reserved) {
    it(`shows reserved processors in place of ${flags.join(' ') || 'no'} amounts in /configz`, () => {
      const { systemReserved, orchReserved } = configz(
        load(['--reserved-cpus=0-1', ...flags]).config,
        orchDialect,
      );
      expect([systemReserved, orchReserved]).to.deep.equal([system, own]);
    });
  }

  it('does not change what /configz leaves out', () => {
    expect(configz(load([flag], openFile).config, orchDialect)).to.not.have.any.keys(
      'staticPodPath',
      'featureGates',
      'clusterDNS',
    );
  });
});
