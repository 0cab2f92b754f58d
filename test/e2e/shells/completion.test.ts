import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { findProgram } from '../../support/find-program.ts';
import { Terminal } from '../../support/terminal.ts';
import { FakeApi, pod } from '../../unit/ctl/support/fake-api.ts';

const root = join(import.meta.dirname, '../../..');

/** How each shell is started, and told to complete. */
const shells = {
  bash: { command: 'bash --norc --noprofile -i', setUp: 'source <(ctl completion bash)' },
  zsh: {
    command: 'zsh -f -i',
    setUp: 'bindkey -e; autoload -U compinit; compinit -u -D; source <(ctl completion zsh)',
  },
  fish: { command: 'fish --no-config -i', setUp: 'ctl completion fish | source' },
};

const list = (...names: readonly string[]) => ({
  body: { kind: 'List', items: names.map((name) => ({ metadata: { name } })) },
});

/** To the start of the line, and to its end: keys that the three shells share. */
const [lineStart, lineEnd] = ['\u0001', '\u0005'];

describe('completion in a terminal', function () {
  this.timeout(120_000);
  let folder: string;
  let api: FakeApi;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shell-completion-'));
    mkdirSync(join(folder, 'bin'));
    symlinkSync(join(root, 'bin/ctl'), join(folder, 'bin/ctl'));
    writeFileSync(join(folder, 'manifest.yaml'), '');
    mkdirSync(join(folder, 'overlay'));
    const spec = { containers: [{ name: 'server' }, { name: 'proxy' }] };
    api = await FakeApi.start({
      'GET /api/v1/namespaces': list('default', 'team-a'),
      'GET /api/v1/namespaces/default/pods': list('web-1', 'web-2', 'db-1', '$(touch reached)'),
      'GET /api/v1/namespaces/team-a/pods': list('other-1'),
      'GET /api/v1/namespaces/default/pods/db-1': { body: { ...pod('db-1'), spec } },
    });
    const config = {
      contexts: [
        { name: 'prod', context: { cluster: 'c', user: 'u' } },
        { name: 'ada@test:1', context: {} },
      ],
      clusters: [{ name: 'c', cluster: { server: api.url } }],
      users: [{ name: 'u', user: {} }],
      'current-context': 'prod',
    };
    writeFileSync(join(folder, 'config'), JSON.stringify(config));
  });
  after(async () => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH ?? ''}`,
    HOME: folder,
    ORCHCONFIG: join(folder, 'config'),
    PS1: '> ',
    LANG: 'C.UTF-8',
  });

  /** What the tab key makes of a line; the last ones are lines for which nothing is offered. */
  const completed: readonly (readonly [line: string, becomes: string])[] = [
    ['ctl descr', 'ctl describe '],
    ['ctl config use-con', 'ctl config use-context '],
    ['ctl get deploym', 'ctl get deployments '],
    ['ctl get pods db', 'ctl get pods db-1 '],
    ['ctl get pod/d', 'ctl get pod/db-1 '],
    ['ctl get pods -n tea', 'ctl get pods -n team-a '],
    ['ctl get pods --namespace=tea', 'ctl get pods --namespace=team-a '],
    ['ctl get pods -n team-a o', 'ctl get pods -n team-a other-1 '],
    ['ctl config use-context ada', 'ctl config use-context ada@test:1 '],
    ['ctl --context=ada@test:', 'ctl --context=ada@test:1 '],
    ['ctl logs db-1 -c pr', 'ctl logs db-1 -c proxy '],
    ['ctl get pods --sort', 'ctl get pods --sort-by='],
    ['ctl get pods -o ya', 'ctl get pods -o yaml '],
    ['ctl get pods -o custom-columns-f', 'ctl get pods -o custom-columns-file='],
    ['ctl apply -f man', 'ctl apply -f manifest.yaml '],
    ['ctl apply --filename=man', 'ctl apply --filename=manifest.yaml '],
    ['ctl apply -k ov', 'ctl apply -k overlay'],
    ['ctl get pods --nothing-like-it', 'ctl get pods --nothing-like-it'],
    ['ctl -s http://127.0.0.1:1 get po', 'ctl -s http://127.0.0.1:1 get po'],
    ['ctl get pods --bogus d', 'ctl get pods --bogus d'],
  ];

  for (const [name, { command, setUp }] of Object.entries(shells)) {
    describe(name, () => {
      let terminal: Terminal;
      before(async function () {
        const missing = [name, 'script'].filter((program) => findProgram(program) === undefined);
        // Where all tests must run, the missing program makes them fail.
        if (missing.length > 0 && process.env.CI === undefined) return this.skip();
        expect(missing).to.deep.equal([]);
        terminal = Terminal.open({ command, env: environment(), cwd: folder });
        await terminal.type(`${setUp}; echo rea''dy\n`, /ready/);
      });
      after(() => terminal?.close());

      for (const [line, becomes] of completed) {
        it(`makes of ${line}: ${becomes}`, async () => {
          const keys = `${line}\t${lineStart}printf 'LI''NE<%s>\\n' '${lineEnd}'\n`;
          const [, text = ''] = await terminal.type(keys, /LINE<([^>]*)>/);
          // Some shells add a blank, or a slash behind a folder, where others wait for the next key.
          expect(text.replace(/[ /]$/, '')).to.equal(becomes.trimEnd());
          if (becomes.endsWith('=')) expect(text).to.equal(becomes);
        });
      }

      it('lists what there is, without what a shell would run', async () => {
        const start = terminal.shown.length;
        await terminal.type('ctl get pods \t\t', /(?=.*web-1)(?=.*web-2)(?=.*db-1)/s);
        await terminal.type(`${lineStart}echo '${lineEnd}' do''ne\n`, /done/);
        expect(terminal.shown.slice(start)).not.to.include('reached');
      });

      it('shows nothing of what goes wrong', () => {
        const complaint = /.*(error:|Error|refused|command not found|Unknown command|Warning).*/;
        expect(complaint.exec(terminal.shown)?.[0]).to.equal(undefined);
      });
    });
  }
});
