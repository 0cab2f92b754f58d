import { readdir } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { podManifest, shellContainer } from '../../test/support/agent-pods.ts';
import type { AgentProgram } from '../../test/support/agent-program.ts';
import type { Containerd } from '../../test/support/containerd.ts';

const pauseMs = 2;
const limitMs = 30_000;

export interface LatencyOptions {
  readonly agent: AgentProgram;
  readonly containerd: Containerd;
  readonly namespace: string;
}

/**
 * Time from the moment a manifest appears until the HTTP server of its pod answers on the pod's address. Neither the
 * agent nor the runtime is asked meanwhile: the address is read from the files of the network. It is spoken to once the
 * link to the container's log is there: the kernel waits a second after it has looked for an address in vain.
 *
 * @throws Error when it does not answer
 */
export async function measurePodStart(
  name: string,
  { agent, containerd, namespace }: LatencyOptions,
): Promise<number> {
  const known = new Set(await addresses(containerd));
  const serve = 'echo ready > /www/index.html; exec httpd -f -h /www';
  const startedAt = performance.now();
  await agent.putManifest(name, podManifest({ name, namespace }, [shellContainer('one', serve)]));
  const elapsedMs = (): number => performance.now() - startedAt;
  for (; elapsedMs() < limitMs; await delay(pauseMs)) {
    const address = (await addresses(containerd)).find((each) => !known.has(each));
    if (address === undefined || !(await hasLog(`${name}-node1_${namespace}_`))) continue;
    if (await answers(address)) return elapsedMs();
  }
  throw new Error(`${name} does not answer: ${(await agent.log()).slice(-2000)}`);
}

async function hasLog(prefix: string): Promise<boolean> {
  return (await readdir('/var/log/containers').catch(() => [])).some((name) => name.startsWith(prefix));
}

/** Addresses that pods have. */
async function addresses({ folder }: Containerd): Promise<readonly string[]> {
  const top = join(folder, 'ipam');
  const networks = await readdir(top).catch(() => []);
  const names = await Promise.all(networks.map((network) => readdir(join(top, network))));
  return names.flat().filter((name) => /^\d+(?:\.\d+){3}$/.test(name));
}

/** Whether the server sends its page; while it does not listen, the connection is refused at once. */
function answers(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port: 80, timeout: 100 }, () => {
      socket.write('GET / HTTP/1.0\r\n\r\n');
    });
    let text = '';
    const end = (): void => {
      socket.destroy();
      resolve(text.includes('ready'));
    };
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('end', end).on('error', end).on('timeout', end);
  });
}
