import { expect } from 'chai';
import { renderCompletion, renderHelp, renderManual } from '../../../../src/config/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { flagOptions, nodeAgentProgram, ownSection } from '../../../../src/nodeagent/options/index.ts';
import gates from './spec-feature-gates.json' with { type: 'json' };
import documented from './spec-options.json' with { type: 'json' };

/** The documented option as a line of help should have it. */
interface Shown {
  readonly type: string;
  readonly short: string | undefined;
  readonly default: string;
  readonly isDeprecated: boolean;
  readonly stage: string | undefined;
}

const stages: Readonly<Record<string, string>> = { alpha: 'alpha', beta: 'beta', exp: 'experimental' };

/** The default in the words of the document: the first text in backquotes; for two options a sentence. */
function documentedDefault({
  name,
  default: text,
}: {
  readonly name: string;
  readonly default: string;
}): string {
  if (name === 'authorization-mode') return 'AlwaysAllow without --config; Webhook with --config';
  if (name === 'image-service-endpoint') return 'same as --container-runtime-endpoint';
  // Linux adds one threshold to those in the backquotes.
  if (name === 'eviction-hard')
    return 'imagefs.available<15%,memory.available<100Mi,nodefs.available<10%,nodefs.inodesFree<5%';
  const value = /^`([^`]*)`/.exec(text)?.[1] ?? '';
  return value === 'false' ? '' : value;
}

function readHelp(text: string): Map<string, Shown> {
  const [before = ''] = text.split(`\n${ownSection}:\n`);
  const entries = before.split(/\n(?= {2}-)/).slice(1);
  return new Map(
    entries.map((entry) => {
      const [, short, name = '', implied, type] =
        /^ {2}(?:-(\w), )?--([\w-]+)(?:\[=(\w+)\]|=(\S+))?\n/.exec(entry) ?? [];
      const prose = entry
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
        .join(' ');
      return [
        name,
        {
          type: implied === undefined ? (type ?? 'bool') : `version[=${implied}]`,
          short,
          default: /\(default (.*?)\)(?: Deprecated:|$| [A-Z])/.exec(prose)?.[1] ?? '',
          isDeprecated: prose.includes('Deprecated: '),
          stage: /Stage: (\w+)\./.exec(prose)?.[1],
        },
      ];
    }),
  );
}

describe('nodeagent --help', () => {
  const text = renderHelp(nodeAgentProgram(orchDialect));
  const shown = readHelp(text);

  it('lists exactly the documented options', () => {
    expect([...shown.keys()].sort()).to.deep.equal(documented.map(({ name }) => name).sort());
  });

  for (const option of documented) {
    it(`shows --${option.name} with its type, default, stage and deprecation`, () => {
      const short = 'short' in option ? option.short : undefined;
      const stage = /\b(alpha|beta|exp)\b/.exec(option.notes)?.[1];
      expect(shown.get(option.name)).to.deep.equal({
        type: option.type,
        short,
        default: documentedDefault(option).replace('{registry}', 'registry.orch.io'),
        isDeprecated: /\bD(?:-cfg)?\b/.test(option.notes),
        stage: stage === undefined ? undefined : stages[stage],
      });
    });
  }

  it('lists every documented gate with stage and default, and no other', () => {
    const lines = text.match(/^ {8}\w+=true\|false .*$/gm) ?? [];
    const wanted = Object.entries(gates).map(
      ([name, gate]) => `${name}=true|false (${gate.stage} - default=${gate.default})`,
    );
    expect(lines.map((line) => line.trim()).sort()).to.deep.equal(wanted.sort());
  });

  it('shows what is ours apart', () => {
    const own = text.slice(text.indexOf(`\n${ownSection}:\n`));
    for (const flag of ['--print-config', '--strict-config', '--dialect'])
      expect(own).to.include(`  ${flag}`);
  });
});

describe('the manual page and completion of nodeagent', () => {
  it('name every option, in section 8 of the manual', () => {
    const page = renderManual(nodeAgentProgram(orchDialect), '1.0.0')[0]?.text;
    expect(page).to.match(/^\.TH "NODEAGENT" "8" /);
    for (const { flag } of flagOptions)
      expect(page).to.include(`\\fB\\-\\-${flag.replaceAll('-', '\\-')}\\fR`);
    expect(page).to.include('255');
    for (const shell of ['bash', 'zsh', 'fish'] as const) {
      const script = renderCompletion(nodeAgentProgram(orchDialect), shell);
      for (const { flag } of flagOptions) expect(script).to.include(flag);
    }
    expect(renderCompletion(nodeAgentProgram(orchDialect), 'fish')).to.include(
      "-l container-runtime -xa 'legacyrt remote'",
    );
  });
});
