import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The administrator's token. */
const adminToken = 'admintoken';

/** A server for agents under test, set up as for the recordings: no service accounts. */
export class ApiServer {
  readonly #child: ChildProcess;
  readonly url: string;
  readonly configPath: string;
  /** The administrator's. */
  readonly token = adminToken;

  private constructor(child: ChildProcess, url: string, configPath: string) {
    this.#child = child;
    this.url = url;
    this.configPath = configPath;
  }

  /** Starts one and waits until it is ready. */
  static async start(
    command: readonly string[],
    folder: string,
    flags: readonly string[] = [],
  ): Promise<ApiServer> {
    const tokens = join(folder, 'tokens.csv');
    await writeFile(
      tokens,
      [
        `${adminToken},admin,admin,system:masters`,
        'usertoken,alice,alice-uid,"devs,testers"',
        'nodetoken,system:node:node1,node1,system:nodes',
      ].join('\n'),
    );
    const [program = '', ...leading] = command;
    const child = spawn(
      program,
      [
        ...leading,
        '--secure-port=0',
        '--write-orchconfig=false',
        `--data-dir=${join(folder, 'data')}`,
        `--token-auth-file=${tokens}`,
        '--disable-admission-plugins=ServiceAccount',
        '--service-cluster-ip-range=10.0.0.0/24',
        '--allow-privileged',
        ...flags,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let text = '';
    child.stdout?.setEncoding('utf8');
    for await (const part of child.stdout ?? []) {
      text += String(part);
      const [, url, configPath] = /^orch is ready at (\S+) .*--orchconfig=(\S+)/.exec(text) ?? [];
      if (url !== undefined && configPath !== undefined) return new ApiServer(child, url, configPath);
    }
    throw new Error('orch serve did not get ready');
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await exited;
  }
}
