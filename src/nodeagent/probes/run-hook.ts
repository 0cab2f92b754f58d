import type { Handler, HTTPGetAction, TCPSocketAction } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { formatRuntimeFailure, type RuntimeService } from '../runtime/index.ts';
import { joinOutput } from './command-output.ts';
import type { HookTarget } from './contract.ts';
import { findHookPort } from './handler-port.ts';
import { joinHostPort } from './host-port.ts';
import { GetError, getPage } from './http-get.ts';
import { type HttpTarget, toRequestPath } from './http-target.ts';
import { describeNetworkFailure } from './network-failure.ts';

/** Why a hook failed. */
export interface FailedHook {
  readonly error: string;
  /** The error with the hook, container and pod that it is about. */
  readonly message: string;
}

/** The runtime that runs `exec` hooks; an abort of `signal` stops the waiting for the hook. */
export interface RunHookOptions {
  readonly runtime: Pick<RuntimeService, 'execSync'>;
  readonly signal?: AbortSignal | undefined;
}

interface Subject extends Omit<HookTarget, 'pod'> {
  readonly podName: string;
}

/** Runs a hook, for as long as it takes. Undefined when it succeeded. Texts are release 1.20's. */
export async function runHook(
  { exec, httpGet, tcpSocket }: Handler,
  target: Subject,
  options: RunHookOptions,
): Promise<FailedHook | undefined> {
  const where = `for Container ${quoteGo(target.container.name)} in Pod ${quoteGo(target.podName)}`;
  const describe = (what: string, { error, output }: Failure): FailedHook => {
    return { error, message: `${what} ${where} failed - error: ${error}, message: ${quoteGo(output)}` };
  };
  if (exec) {
    const { command = [] } = exec;
    const failure = await runCommand(command, target, options);
    return failure && describe(`Exec lifecycle hook ([${command.join(' ')}])`, failure);
  }
  if (httpGet) {
    const failure = await askPage(httpGet, target, options);
    return failure && describe(`HTTP lifecycle hook (${httpGet.path ?? ''})`, failure);
  }
  const error = `invalid handler: ${formatHandler(tcpSocket)}`;
  return { error, message: `Cannot run handler: ${error}` };
}

/** As release 1.20 prints a handler that it cannot run: `tcpSocket` is not supported for hooks. */
function formatHandler(tcpSocket: TCPSocketAction | undefined): string {
  const connection =
    tcpSocket && `&TCPSocketAction{Port:${formatPort(tcpSocket.port)},Host:${tcpSocket.host ?? ''},}`;
  return `&Handler{Exec:nil,HTTPGet:nil,TCPSocket:${connection ?? 'nil'},}`;
}

const formatPort = (port: number | string): string =>
  typeof port === 'number' ? `{0 ${port} }` : `{1 0 ${port}}`;

interface Failure {
  readonly error: string;
  readonly output: string;
}

async function runCommand(
  command: readonly string[],
  { containerId }: Subject,
  { runtime, signal }: RunHookOptions,
): Promise<Failure | undefined> {
  try {
    const { exitCode, ...written } = await runtime.execSync({ containerId, command, signal });
    if (exitCode === 0) return undefined;
    const stderr = joinOutput({ stdout: new Uint8Array(), stderr: written.stderr });
    const error = `command '${command.join(' ')}' exited with ${exitCode}: ${stderr}`;
    return { error, output: joinOutput(written) };
  } catch (error) {
    return { error: formatRuntimeFailure(error), output: '' };
  }
}

/** Any answer is a success, whatever its status. Scheme and headers do not count in this release. */
async function askPage(
  { host, port, path = '' }: HTTPGetAction,
  { container, podIp }: Subject,
  { signal }: RunHookOptions,
): Promise<Failure | undefined> {
  const address = host || podIp;
  if (address === undefined) return { error: 'failed to find networking container', output: '' };
  try {
    await getPage(hookPage(address, findHookPort(port, container), path), {
      headers: {},
      followsTo: () => true,
      signal,
    });
    return undefined;
  } catch (error) {
    // Half an answer is one.
    if (error instanceof GetError && error.phase === 'reading') return undefined;
    return { error: describeFailure(error), output: '' };
  }
}

/** As in release 1.20: a slash is put before the path even when it has one. */
function hookPage(host: string, port: number, path: string): HttpTarget {
  const sent = toRequestPath(`/${path}`);
  return { isSecure: false, host, port, path: sent, url: `http://${joinHostPort(host, port)}${sent}` };
}

function describeFailure(error: unknown): string {
  if (!(error instanceof GetError)) return errorText(error);
  const { host, port, url } = error.target;
  return `Get "${url}": ${describeNetworkFailure(error.cause, host, port)}`;
}
