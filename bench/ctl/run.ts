/**
 * Measures everyday commands of the built `ctl` against a server of its own that has many pods: time on the clock, and CPU time
 * of the command. `npm run bench:ctl`; options go after `--`:
 *
 * `--client PROGRAM` measures another client beside it, against the same server, which then speaks the dialect of that one;
 * `--quick` only enough to see that everything works; `-o json` figures for programs.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServe } from '../../test/support/serve-process.ts';
import commands from './commands.json' with { type: 'json' };
import { type ClientRun, measureCommand, runCommand } from './measure-command.ts';
import { type CommandFigures, renderCtlReport } from './report.ts';

interface Profile {
  readonly pods: number;
  /** Of each command. */
  readonly runs: number;
}

const full: Profile = { pods: 2000, runs: 21 };
const quick: Profile = { pods: 20, runs: 1 };
const ownClient = fileURLToPath(new URL('../../bin/ctl', import.meta.url));

async function measure({ pods, runs }: Profile, other: string | undefined): Promise<CommandFigures[]> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'bench-ctl-'));
  opened.defer(() => rm(folder, { recursive: true }));
  const dialect = other === undefined ? 'orch' : 'kubernetes';
  const server = opened.use(
    await startServe([
      ...[`--data-dir=${join(folder, 'data')}`, `--dialect=${dialect}`, '-v=0'],
      // Pods are to be listed only: nothing is to be done about them.
      ...['--controllers=none', '--disable-admission-plugins=ServiceAccount'],
    ]),
  );
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ORCH_DIALECT: dialect,
    ORCHCONFIG: server.configPath,
    KUBECONFIG: server.configPath,
  };
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: 'b' } };
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
  await writeFile(join(folder, 'pods.json'), JSON.stringify(podList(pods)));
  for (const file of ['settings', 'pods'])
    await runCommand({ program: ownClient, args: ['apply', '-f', join(folder, `${file}.json`)], env });
  const figures: CommandFigures[] = [];
  for (const { args, goalMs } of commands) {
    const given = args.map((word) => word.replace('{folder}', folder));
    const runOf = (program: string): ClientRun => ({ program, args: given, env });
    figures.push({
      command: args.join(' ').replace('{folder}/', ''),
      goalMs,
      own: await measureCommand(runOf(ownClient), runs),
      other: other === undefined ? undefined : await measureCommand(runOf(other), runs),
    });
  }
  return figures;
}

/** Pods that nobody runs, as an application makes them. */
function podList(count: number): object {
  const containers = [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] }];
  const items = Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${index}`, labels: { app: `app-${index % 50}` } },
    spec: { containers },
  }));
  return { apiVersion: 'v1', kind: 'List', items };
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    client: { type: 'string' },
    output: { type: 'string', short: 'o' },
  },
});
const figures = await measure(values.quick === true ? quick : full, values.client);
process.stdout.write(
  values.output === 'json' ? `${JSON.stringify(figures, undefined, 2)}\n` : renderCtlReport(figures),
);
