import { expect } from 'chai';
import { layerConfig, type OptionSpec, OptionsError } from '../../../src/config/index.ts';

const section = 'Test';
const specs = [
  { name: 'port', type: 'int', default: 6443, section, help: '' },
  { name: 'name', type: 'string', env: 'TEST_NAME', section, help: '' },
  { name: 'mode', type: 'string', default: 'text', allowed: ['text', 'json'], section, help: '' },
  { name: 'timeout', type: 'duration', default: '1m0s', section, help: '' },
  { name: 'list', type: 'strings', default: ['a'], section, help: '' },
  { name: 'gates', type: 'mapStringBool', section, help: '' },
  { name: 'on', type: 'bool', section, help: '' },
  { name: 'v', type: 'count', section, help: '' },
  { name: 'old', type: 'bool', deprecated: 'use --on', section, help: '' },
  { name: 'idle', type: 'string', withoutEffect: true, section, help: '' },
  { name: 'later', type: 'int', default: 5, unsupported: true, section, help: '' },
] as const satisfies readonly OptionSpec[];

const layer = (sources: { argv?: string[]; file?: unknown; env?: Record<string, string> }) =>
  layerConfig({ specs, argv: sources.argv ?? [], file: sources.file, env: sources.env ?? {} });

function problemsOf(sources: Parameters<typeof layer>[0]): readonly string[] {
  try {
    layer(sources);
    return [];
  } catch (error) {
    if (error instanceof OptionsError) return error.problems;
    throw error;
  }
}

describe('layerConfig', () => {
  it('fills in defaults, typed by the table', () => {
    const { config } = layer({});
    const port: number = config.port;
    const name: string | undefined = config.name;
    const mode: 'text' | 'json' = config.mode;
    expect({ port, name, mode }).to.deep.equal({ port: 6443, name: undefined, mode: 'text' });
    expect(config.timeoutMs).to.equal(60_000);
    expect(config.list).to.deep.equal(['a']);
    expect(config.on).to.equal(false);
    expect(config.v).to.equal(0);
    expect(Object.keys(config.gates)).to.deep.equal([]);
  });

  it('names values in camel case with the unit of durations, or by the key that the table has for them', () => {
    const table = [
      { name: 'request-timeout', type: 'duration', default: '1s', section, help: '' },
      { name: 'grace-period', key: 'gracePeriodSeconds', type: 'int', default: 3, section, help: '' },
      { name: 'http2-max-streams', type: 'int', default: 4, section, help: '' },
    ] as const satisfies readonly OptionSpec[];
    const { config, given } = layerConfig({ specs: table, argv: ['--grace-period=5'] });
    expect({ ...config }).to.deep.equal({
      requestTimeoutMs: 1000,
      gracePeriodSeconds: 5,
      http2MaxStreams: 4,
    });
    expect([given.has('gracePeriodSeconds'), given.has('requestTimeoutMs')]).to.deep.equal([true, false]);
    // @ts-expect-error: no option of the table has this key
    expect(config.requestTimeout).to.equal(undefined);
    // @ts-expect-error: as above
    expect(given.has('grace-period')).to.equal(false);
  });

  it('lets flags win over the environment and the environment over the file', () => {
    const file = { name: 'file', port: 1, mode: 'json' };
    expect(layer({ file }).config.name).to.equal('file');
    expect(layer({ file, env: { TEST_NAME: 'env' } }).config.name).to.equal('env');
    const { config } = layer({ file, env: { TEST_NAME: 'env' }, argv: ['--name=flag'] });
    expect([config.name, config.port, config.mode]).to.deep.equal(['flag', 1, 'json']);
  });

  it('replaces lists between layers instead of joining them', () => {
    expect(layer({ file: { list: ['b', 'c'] } }).config.list).to.deep.equal(['b', 'c']);
    expect(layer({ file: { list: ['b'] }, argv: ['--list=d'] }).config.list).to.deep.equal(['d']);
  });

  it('takes YAML values in their own types and as text', () => {
    const { config } = layer({
      file: { gates: { A: true, B: 'false' }, on: 'true', timeout: '5s', list: 'x,y' },
    });
    expect({ ...config.gates }).to.deep.equal({ A: true, B: false });
    expect([config.on, config.timeoutMs, config.list]).to.deep.equal([true, 5000, ['x', 'y']]);
  });

  it('freezes the configuration and its lists', () => {
    const { config } = layer({ argv: ['--list=b'] });
    expect(Object.isFrozen(config)).to.equal(true);
    expect(Object.isFrozen(config.list)).to.equal(true);
  });

  it('ignores empty environment variables', () => {
    expect(layer({ env: { TEST_NAME: '' } }).config.name).to.equal(undefined);
  });

  it('reports the problems of all sources together', () => {
    const problems = problemsOf({
      argv: ['--port=x', '--nmae=1'],
      file: { nonsense: 1, on: [], gates: { A: 3 }, timeout: 9 },
    });
    expect(problems).to.deep.equal([
      '--port=x: must be a whole number',
      'unknown flag: --nmae; did you mean --name?',
      'configuration file: unknown option nonsense',
      'configuration file: on: must be a single value, not a list',
      'configuration file: gates: the value of A must be true or false',
      'configuration file: timeout: must be a duration with its unit, such as 30s, 5m or 1h',
    ]);
  });

  it('refuses a file that is no map', () => {
    expect(problemsOf({ file: ['port'] })).to.deep.equal([
      'configuration file: must be a map from option names to values',
    ]);
  });

  it('warns about deprecated options and those without effect, only when they are given', () => {
    expect(layer({}).warnings).to.deep.equal([]);
    expect(layer({ argv: ['--old', '--idle=x'] }).warnings).to.deep.equal([
      '--old is deprecated: use --on',
      '--idle has no effect in orch',
    ]);
  });

  it('refuses an unsupported option unless it repeats the default', () => {
    expect(problemsOf({ argv: ['--later=5'] })).to.deep.equal([]);
    expect(problemsOf({ argv: ['--later=6'] })).to.deep.equal([
      '--later: not supported yet by this version of orch',
    ]);
  });
});
