import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { commands, findCommand } from '../../../src/app/commands.ts';
import { layerServeConfig } from '../../../src/config/serve/index.ts';
import { globalOptions } from '../../../src/ctl/options/global.ts';
import type { Verb } from '../../../src/ctl/verb.ts';
import { verbs } from '../../../src/ctl/verbs.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';
import { flagOptions, readAgentRequest } from '../../../src/nodeagent/options/index.ts';
import { root, textOf } from './source-files.ts';

const pages = ['README.md', 'docs/with-reference-components.md', 'docs/nodeagent.md', 'docs/operations.md'];

/** Command lines of a page: those in blocks, and those that stand alone between backquotes. */
function commandLines(page: string): string[] {
  const text = textOf(page);
  const blocks = Array.from(text.matchAll(/^```\n([\s\S]*?)^```$/gm), ([, block = '']) => block);
  const lines = blocks
    .flatMap((block) => {
      const all = block.replaceAll(/ *\\\n */g, ' ').split('\n');
      // Where there are prompts, the rest is what commands answer.
      const typed = all.filter((line) => line.startsWith('$ '));
      return typed.length === 0 ? all : typed.map((line) => line.slice(2));
    })
    .flatMap((line) => line.split(/; | && | \| /))
    .map((line) => line.replace(/(?: +#.*| &)$/, ''));
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const inline = Array.from(prose.matchAll(/`([^`]+)`/g), ([, code = '']) =>
    code.replaceAll(/\s+/g, ' '),
  ).flatMap((code) => code.split(' | '));
  // `ctl apply` alone names a command; what stands for many (`ctl-NAME`, `nodeagent ...`) is none.
  return [...lines, ...inline].filter(
    (line) => /^(?:orch|ctl|nodeagent) [a-z-]/.test(line) && !line.includes('...'),
  );
}

const flagsOf = (words: readonly string[]): string[] =>
  words.filter((word) => /^-[-a-zA-Z]/.test(word) && word !== '--').map((word) => word.replace(/=.*/, ''));

describe('the commands of the documents', () => {
  for (const page of pages) {
    const lines = commandLines(page);
    it(`are there: ${page}`, () => {
      expect(lines).to.not.be.empty;
    });

    for (const line of lines) {
      it(`work as typed: ${page}: ${line}`, async () => {
        const [program = '', ...words] = line.split(' ');
        if (program === 'ctl') await checkClient(words);
        else if (program === 'nodeagent') checkAgent(words);
        else if (words[0] === 'serve') checkServe(words.slice(1));
        else checkOther(words);
      });
    }

    it(`link to files that are there: ${page}`, () => {
      const links = Array.from(textOf(page).matchAll(/\]\(([^)#]+)/g), ([, link = '']) => link);
      const missing = links.filter((link) => !existsSync(join(root, dirname(page), link)));
      expect(missing).to.deep.equal([]);
    });

    it(`name no place that is somebody else’s: ${page}`, () => {
      const hosts = Array.from(textOf(page).matchAll(/https?:\/\/([\w.-]+)/g), ([, host = '']) => host);
      const own = /^(?:127\.0\.0\.1|10\.\d+\.\d+\.\d+|[a-z]\d?|api\.example\.org|\.\.\.|node\d)$/;
      expect(hosts.filter((host) => !own.test(host))).to.deep.equal([]);
    });
  }
});

describe('the unit of the agent', () => {
  it('gives no deprecated flags, and a file that can run', () => {
    const [, line = ''] = /^ExecStart=@PREFIX@\/bin\/nodeagent (.*) \$NODEAGENT_OPTIONS$/m.exec(
      textOf('packaging/systemd/nodeagent.service'),
    ) ?? [''];
    const argv = line.split(' ');
    checkAgent(argv);
    const request = readAgentRequest({
      argv,
      readFile: (path) => {
        expect(path).to.match(/@PREFIX@\/share\/orch\/nodeagent\.yaml$/);
        return Buffer.from(textOf('packaging/nodeagent.yaml'));
      },
      workingDirectory: '/',
    });
    expect(request).to.deep.include({ kind: 'run', notices: [], warnings: [] });
  });
});

/** Parses for real: flags, values, and nothing that is deprecated. */
function checkServe(words: readonly string[]): void {
  const { unspell, spell } = createDialect(words.includes('--dialect=kubernetes') ? 'kubernetes' : 'orch');
  const argv = words.filter((word) => word !== '--help');
  const { warnings, positionals } = layerServeConfig({ argv, env: {}, unspell, spell });
  expect([warnings, positionals]).to.deep.equal([[], []]);
}

/** What the agent has beside the reference's flags. */
const ownFlags = new Set(['--dialect', '--print-config', '--help']);

function checkAgent(words: readonly string[]): void {
  const { unspell } = createDialect(words.includes('--dialect=kubernetes') ? 'kubernetes' : 'orch');
  for (const flag of flagsOf(words)) {
    if (ownFlags.has(flag)) continue;
    const option = flagOptions.find((one) => one.flag === unspell(flag.slice(2)));
    expect(option, flag).to.not.equal(undefined);
    expect(option?.deprecated, `${flag} is deprecated`).to.equal(undefined);
  }
}

async function checkClient(words: readonly string[]): Promise<void> {
  const [name = '', ...rest] = words.filter((word) => !word.startsWith('-'));
  expect(verbs, 'the command').to.have.property(name);
  let verb: Verb | undefined = await verbs[name]?.load();
  const options = [...globalOptions, ...(verb?.program.options ?? [])];
  for (const word of rest) {
    verb = await verb?.subverbs?.[word]?.();
    if (verb === undefined) break;
    options.push(...verb.program.options);
  }
  const known = new Set<string>();
  for (const { name: option, short } of options as readonly { name: string; short?: string }[]) {
    known.add(`--${option}`);
    if (short !== undefined) known.add(`-${short}`);
  }
  for (const flag of flagsOf(words)) {
    const letters = /^-[a-zA-Z]{2,}$/.test(flag) ? [...flag.slice(1)].map((letter) => `-${letter}`) : [flag];
    expect([...known]).to.include.members(letters);
  }
}

/** Commands of `orch`: their words are known. */
function checkOther(words: readonly string[]): void {
  const found = findCommand(words);
  expect(Object.keys(commands)).to.include(found?.name ?? `orch ${words.join(' ')}`);
}
