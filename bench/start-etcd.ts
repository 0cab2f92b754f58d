import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../test/support/free-ports.ts';

/** How long a member may take until it serves. */
const patienceMs = 20_000;

/** A member of its own for one run. */
export interface EtcdMember extends AsyncDisposable {
  readonly url: string;
}

/** Starts `etcd` with its data in `directory`. @throws Error when it is not installed or does not serve in time. */
export async function startEtcd(directory: string): Promise<EtcdMember> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(
    'etcd',
    [
      '--data-dir',
      directory,
      ...['--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `default=${peer}`, '--log-level', 'error'],
    ],
    { stdio: 'ignore' },
  );
  await once(child, 'spawn');
  const stop = async (): Promise<void> => {
    const exited = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill();
    await exited;
  };
  for (const lateAt = Date.now() + patienceMs; !(await isHealthy(url)); await delay(100)) {
    if (Date.now() < lateAt && child.exitCode === null) continue;
    await stop();
    throw new Error('etcd does not serve');
  }
  return { url, [Symbol.asyncDispose]: stop };
}

async function isHealthy(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health`).catch(() => undefined);
  return answer?.ok === true;
}
