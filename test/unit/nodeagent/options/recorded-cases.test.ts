import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { runNodeAgent } from '../../../../src/app/run-node-agent.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  AgentOptionsError,
  type AgentProblem,
  checkStart,
  configz,
  deprecationText,
  readAgentRequest,
} from '../../../../src/nodeagent/options/index.ts';
import { configzDifference } from '../../../support/configz-difference.ts';
import baseline from './recorded-baseline.json' with { type: 'json' };
import recorded from './recorded-cases.json' with { type: 'json' };

/** One recorded start of the reference agent, after the base options. */
interface RecordedCase {
  readonly area: string;
  readonly name: string;
  readonly about?: string;
  readonly flags: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly workingDirectory?: string;
  readonly outcome: 'runs' | 'exits' | 'panics';
  readonly exitCode?: number;
  readonly usage?: boolean;
  readonly fatal?: readonly string[];
  readonly stdout?: string;
  readonly notices?: readonly string[];
  readonly warnings?: readonly string[];
  readonly effective?: Readonly<Record<string, unknown>>;
}

/** Where this agent is meant to differ, and why. `effective` adds to what was recorded; `fatal` is what it says instead. */
const exceptions: Readonly<
  Record<
    string,
    { readonly reason: string; readonly fatal?: string; readonly effective?: Record<string, unknown> }
  >
> = {
  'qos-reserved-memory-50': {
    reason: 'the documented option needs its gate',
    fatal: 'invalid configuration: qosReserved (--qos-reserved) requires feature gate QOSReserved',
  },
  'qos-reserved-cpu-50': { reason: 'as above; the recorded problem is told too' },
  'node-status-update-frequency-500ms': {
    reason: 'the documented default of the CPU manager period is the node status update frequency',
    effective: { cpuManagerReconcilePeriod: '500ms' },
  },
};

/** Outcomes of the running part, which the options only lead to. */
const leftToRunningPart = new Set(['endpoint-missing', 'runonce-pod']);
const runtimeWarning = /^(?:\[imageGCManager\]|Failed to read pods from URL|Flexvolume plugin directory)/;

const ports = { '{port}': 20250, '{port+1}': 20251, '{port+2}': 20252 };

function baseFlags(tmp: string): string[] {
  return [
    `--root-dir=${tmp}/root`,
    `--cert-dir=${tmp}/pki`,
    '--port=20250',
    '--read-only-port=20251',
    '--healthz-port=20252',
    '--cgroup-root=/{cgroup-root}',
    '--container-runtime=remote',
    '--container-runtime-endpoint=unix:///run/runtime.sock',
    '--fail-swap-on=false',
    '--make-iptables-util-chains=false',
    '--hostname-override=node1',
  ];
}

/** Text after these words is in the language of the parser. */
function withoutParserWords(text: string): string {
  return text.replace(/(strconv\.|yaml:|failed to decode:)[\s\S]*$/, '$1');
}

describe('the recorded starts of the reference agent', () => {
  let tmp: string;
  beforeEach(async () => {
    tmp = await mkdtemp(join(tmpdir(), 'agent-options-'));
  });
  afterEach(() => rm(tmp, { recursive: true }));

  const inPlace = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('{tmp}', tmp));
  const readFile = (path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch {
      throw new Error(`open ${path}: no such file or directory`);
    }
  };
  const machine = (workingDirectory = '/') => ({
    workingDirectory,
    readFile,
    exists: existsSync,
    hasCgroup: () => false,
    run: async () => 0,
  });

  async function start(flags: readonly string[], workingDirectory?: string) {
    const sources = { ...machine(workingDirectory), argv: [...baseFlags(tmp), ...flags] };
    try {
      const request = readAgentRequest(sources);
      if (request.kind !== 'run') return { request, problems: [] };
      return { request, problems: await checkStart(request.config, sources, request.dialect) };
    } catch (error) {
      if (error instanceof AgentOptionsError) return { problems: error.problems, notices: error.notices };
      throw error;
    }
  }

  async function run(flags: readonly string[], workingDirectory?: string) {
    const texts = { out: '', err: '' };
    const io = {
      env: {},
      home: undefined,
      isRoot: false,
      out: (text: string) => {
        texts.out += text;
      },
      err: (text: string) => {
        texts.err += text;
      },
    };
    const exitCode = await runNodeAgent([...baseFlags(tmp), ...flags], io, machine(workingDirectory));
    return { exitCode, ...texts };
  }

  it('have the same configuration to begin with', async () => {
    const { request } = await start([]);
    if (request?.kind !== 'run') throw new Error('does not start');
    const text = JSON.stringify(inPlace(baseline)).replace(
      /"(\{port(?:\+\d)?\})"/g,
      (_, name: keyof typeof ports) => String(ports[name]),
    );
    expect(configz(request.config, orchDialect)).to.deep.equal(JSON.parse(text));
    expect(Object.keys(configz(request.config, orchDialect))).to.deep.equal(Object.keys(baseline));
  });

  for (const recording of recorded as readonly RecordedCase[]) {
    const { area, name, about } = recording;
    it(`${area}: ${name}${about === undefined ? '' : ` (${about})`}`, async () => {
      const given = inPlace(recording);
      for (const [file, text] of Object.entries(given.files ?? {})) {
        mkdirSync(dirname(join(tmp, file)), { recursive: true });
        writeFileSync(join(tmp, file), text);
      }
      const result = await start(given.flags, given.workingDirectory);
      const { request, problems } = result;
      if (leftToRunningPart.has(name)) {
        expect(problems).to.deep.equal([]);
        return;
      }
      const exception = exceptions[name];
      const { exitCode, out, err } = await run(given.flags, given.workingDirectory);
      for (const notice of given.notices ?? []) {
        const text = notice.replace('@config', deprecationText('config'));
        if (given.usage !== true) expect(err.split('\n')).to.include(text);
      }
      if (given.stdout !== undefined) {
        expect([exitCode, out]).to.deep.equal([given.exitCode, given.stdout]);
      } else if (exception?.fatal !== undefined) {
        expect(exitCode).to.equal(255);
        expect(problems.map(({ text }) => text)).to.include(exception.fatal);
      } else if (given.outcome === 'runs') {
        expect(problems).to.deep.equal([]);
        if (request?.kind !== 'run') throw new Error('does not run');
        const before = await start([]);
        if (before.request?.kind !== 'run') throw new Error('does not run');
        const changed = configzDifference(
          configz(before.request.config, orchDialect),
          configz(request.config, orchDialect),
        );
        if (given.effective !== undefined)
          expect(changed).to.deep.equal({ ...given.effective, ...exception?.effective });
        for (const warning of (given.warnings ?? []).filter((text) => !runtimeWarning.test(text))) {
          expect(
            request.warnings.some((text) => text.startsWith(warning)),
            warning,
          ).to.equal(true);
        }
      } else {
        expect(problems).to.not.deep.equal([]);
        expect(exitCode).to.equal(255);
        if (given.fatal !== undefined) expectSaid(problems, given.fatal.join('\n'));
        expect(problems.some(({ isUsage }) => isUsage)).to.equal(given.usage === true);
        expect(err.includes('Usage:')).to.equal(given.usage === true);
      }
    });
  }

  function expectSaid(problems: readonly AgentProblem[], text: string): void {
    expect(problems.map((problem) => withoutParserWords(problem.text))).to.include(withoutParserWords(text));
  }
});
