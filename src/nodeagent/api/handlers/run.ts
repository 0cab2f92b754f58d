import { formatRuntimeFailure, type RuntimeService } from '../../runtime/index.ts';
import type { AgentView } from '../agent-view.ts';
import type { AgentHandler } from '../http/exchange.ts';
import { sendJson, sendText } from '../http/respond.ts';
import { findRunningContainer } from './containers.ts';

/** Whom the handler asks. */
export interface RunOptions {
  readonly view: AgentView;
  readonly runtime: Pick<RuntimeService, 'execSync'>;
}

/** Runs a command in a container and sends what it wrote. The command is split at spaces, without quoting. */
export function handleRun({ view, runtime }: RunOptions): AgentHandler {
  return async (exchange, { namespace = '', pod: podName = '', container: name = '' }) => {
    const pod = view.findPod(namespace, podName);
    if (pod === undefined) return sendText(exchange, 404, 'pod does not exist');
    const command = (exchange.query.get('cmd') ?? '').split(' ');
    try {
      const { id } = await findRunningContainer(view, pod, name);
      const { exitCode, stdout, stderr } = await runtime.execSync({
        containerId: id,
        command,
        signal: exchange.signal,
      });
      if (exitCode !== 0) throw new CommandFailedError(command, exitCode, stderr);
      const output = Buffer.concat([stdout, stderr]);
      if (output.length > 0) return sendJson(exchange, output.toString('utf8'));
      exchange.response.writeHead(200, { 'Content-Length': 0 }).end();
    } catch (error) {
      sendText(exchange, 500, formatRuntimeFailure(error));
    }
    return undefined;
  };
}

class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';

  constructor(command: readonly string[], exitCode: number, stderr: Uint8Array) {
    super(`command '${command.join(' ')}' exited with ${exitCode}: ${Buffer.from(stderr).toString('utf8')}`);
  }
}
