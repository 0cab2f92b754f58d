import { spawn } from 'node:child_process';
import type { PortSession } from './session.ts';

/** Namespace that ports are in. */
export interface PortTarget {
  /** Process in the pod's network namespace. */
  readonly pid: number;
  /** Beginning of the message that a client gets when the connection fails. */
  readonly describe: (port: number) => string;
}

/**
 * Runs in the pod's network namespace. This process cannot enter it, as that changes a single thread only. After the
 * server has closed its side, data of the client is accepted for another half second, as by `socat` in release 1.20.
 */
const bridgeScript = (port: number): string => `
const socket = require('node:net').connect({ host: 'localhost', port: ${port}, allowHalfOpen: true });
socket.on('error', (error) => { process.stderr.write(String(error.message)); process.exit(1); });
process.stdout.on('error', () => process.exit(0));
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on('end', () => setTimeout(() => process.exit(0), 500));
`;
const maxWordsBytes = 4096;

/** Connects a client's streams to a port of a pod. Resolves when both have ended, or the client has gone. */
export async function forwardPort(
  { pid, describe }: PortTarget,
  { port, data, error }: PortSession,
): Promise<void> {
  const args = ['-t', `${pid}`, '-n', '--', process.execPath, '-e', bridgeScript(port)];
  const child = spawn('nsenter', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    words = (words + text).slice(0, maxWordsBytes);
  });
  child.stdin.on('error', () => {}); // It has ended.
  data.on('error', () => {});
  data.pipe(child.stdin);
  child.stdout.pipe(data);
  data.once('close', () => child.kill());
  const why = await new Promise<string>((resolve) => {
    child.once('error', (failure) => resolve(String(failure)));
    child.once('close', (code) =>
      resolve(code === 0 || code === null ? '' : words.trim() || `exit status ${code}`),
    );
  });
  error.end(why === '' ? undefined : Buffer.from(`${describe(port)}: ${why}`));
  data.end();
  data.resume();
}
