import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunProgram, runProgram } from '../../src/nodeagent/host/index.ts';
import { eventually } from './eventually.ts';

/** A network of a node of the test's own: links, addresses and rules there are none of the machine's. */
export interface NodeNetwork extends AsyncDisposable {
  /** Runs a program there. */
  readonly run: RunProgram;
  /** Folder of the network plugins, which work there. */
  readonly binDir: string;
}

const pluginFolder = '/usr/lib/cni';

/** Makes a network that lives until it is disposed; `folder` takes its programs. */
export async function makeNodeNetwork(folder: string): Promise<NodeNetwork> {
  const holder = spawn('unshare', ['--net', 'sleep', '600'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => holder.once('exit', resolve));
  const dispose = async (): Promise<void> => {
    holder.kill('SIGKILL');
    await ended;
  };
  try {
    await untilOnItsOwn(holder);
    const enter = ['--net', `--target=${holder.pid}`];
    const run: RunProgram = (program, args) => runProgram('nsenter', [...enter, program, ...args]);
    await run('ip', ['link', 'set', 'lo', 'up']);
    const binDir = join(folder, 'node-bin');
    await mkdir(binDir);
    for (const name of await readdir(pluginFolder)) {
      const script = `#!/bin/sh\nexec nsenter ${enter.join(' ')} ${join(pluginFolder, name)}\n`;
      await writeFile(join(binDir, name), script);
      await chmod(join(binDir, name), 0o755);
    }
    return { run, binDir, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function untilOnItsOwn({ pid }: ChildProcess): Promise<void> {
  const own = await runProgram('readlink', ['/proc/self/ns/net']);
  await eventually(async () => {
    const theirs = await runProgram('readlink', [`/proc/${pid}/ns/net`]);
    return theirs.code === 0 && theirs.output !== own.output ? true : undefined;
  });
}
