import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';

const program = fileURLToPath(new URL('device-plugin.ts', import.meta.url));

export interface DevicePluginOptions {
  /** Folder of the sockets. */
  readonly folder: string;
  readonly resource: string;
  readonly socket?: string;
  /** As the program takes them. */
  readonly options?: string;
}

/** A device plugin that runs, and what it was asked. */
export class DevicePlugin implements AsyncDisposable {
  readonly asked: Record<string, unknown>[] = [];
  readonly #child: ChildProcessWithoutNullStreams;

  constructor({ folder, resource, socket = 'card.sock', options = '' }: DevicePluginOptions) {
    this.#child = spawn(process.execPath, [program, folder, 'nodeagent.sock', socket, resource, options]);
    this.#child.stderr.pipe(process.stderr);
    createInterface({ input: this.#child.stdout }).on('line', (line) =>
      this.asked.push(JSON.parse(line) as Record<string, unknown>),
    );
  }

  /** Devices named by their NUMA node; sick ones with a mark. */
  list(names: string): void {
    const devices = names.split(' ').map((name) => ({
      ID: name.replace('!', ''),
      health: name.endsWith('!') ? 'Unhealthy' : 'Healthy',
      topology: { nodes: [{ ID: Number(/\d/.exec(name)?.[0] ?? 0) }] },
    }));
    this.#child.stdin.write(`${JSON.stringify(devices)}\n`);
  }

  said(what: string): Promise<unknown> {
    return eventually(async () => this.asked.find((one) => what in one)?.[what]);
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }
}
