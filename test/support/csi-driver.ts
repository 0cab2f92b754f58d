import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a driver is started with. */
export interface CsiDriverSettings {
  readonly name: string;
  /** Its own: sockets, volumes, record. */
  readonly folder: string;
  /** Where it registers. */
  readonly registry: string;
  readonly versions: readonly string[];
  /** Numbers of `NodeServiceCapability.RPC.Type`. */
  readonly capabilities: readonly number[];
  /** Its answer to `NodeGetInfo`. */
  readonly info: object;
}

/** One call, and what was asked. */
export type CsiCall = readonly [method: string, request: Record<string, unknown>];

/** A driver that runs as a process of its own. */
export interface CsiDriverProcess extends AsyncDisposable {
  readonly folder: string;
  /** Calls since the last question. */
  calls(): Promise<CsiCall[]>;
  /** Refusals to come, by method. */
  refuse(refusals: Record<string, readonly (readonly [code: string, details: string])[]>): Promise<void>;
  /** Ends it; its registration socket goes too unless it is `killed`. */
  stop(how?: { readonly killed: boolean }): Promise<void>;
}

/** All that the driver can do: stage, figures, growth. */
export const allCapabilities = [1, 2, 3];

/** Starts a driver and waits until it serves. */
export async function startCsiDriver(
  given: Pick<CsiDriverSettings, 'folder' | 'registry'> & Partial<CsiDriverSettings>,
): Promise<CsiDriverProcess> {
  const settings: CsiDriverSettings = {
    name: 'folders.test',
    versions: ['1.0.0'],
    capabilities: allCapabilities,
    info: {
      node_id: 'node-1',
      max_volumes_per_node: 8,
      accessible_topology: { segments: { 'test/zone': 'z1' } },
    },
    ...given,
  };
  const { folder, registry, name } = settings;
  await mkdir(folder, { recursive: true });
  await mkdir(registry, { recursive: true });
  const record = join(folder, 'record');
  await rm(record, { force: true });
  const program = join(import.meta.dirname, 'csi-driver-program.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the driver has ended'))),
  ]);
  let seen = 0;
  const stop = async ({ killed } = { killed: false }): Promise<void> => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await ended;
    if (!killed) await rm(join(registry, `${name}-reg.sock`), { force: true });
  };
  return {
    folder,
    async calls() {
      const all = await readFile(record, 'utf8').catch(() => '');
      const text = all.slice(seen, all.lastIndexOf('\n') + 1);
      seen += text.length;
      return text
        .split('\n')
        .filter(Boolean)
        .map((line): CsiCall => JSON.parse(line));
    },
    refuse: (refusals) => writeFile(join(folder, 'fail.json'), JSON.stringify(refusals)),
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}
