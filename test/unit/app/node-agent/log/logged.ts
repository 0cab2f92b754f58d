import {
  type AgentLog,
  type LogSurroundings,
  openAgentLog,
} from '../../../../../src/app/node-agent/log/open-agent-log.ts';
import type { Logger } from '../../../../../src/base/index.ts';
import { agentConfig } from '../../../nodeagent/agent-config.ts';

/** Uses a log that is opened with these flags, and closes it. Gives the lines on standard error, without times. */
export async function logged(
  flags: readonly string[],
  use: (logger: Logger, log: AgentLog) => void,
  surroundings: LogSurroundings = {},
): Promise<string[]> {
  let stderr = '';
  const toStderr = (line: string): void => {
    stderr += line;
  };
  {
    using log = await openAgentLog(agentConfig(flags), 'nodeagent', { toStderr, ...surroundings });
    use(log.logger, log);
  }
  return linesOf(stderr);
}

/** Lines without their times. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d\.\d{3}/, 'T'));
}

/** Logs one line of each level. */
export function logAll(logger: Logger): void {
  logger.error('bad');
  logger.info('good');
  logger.debug('more');
}

/** What comes of the first two. */
export const [bad, good] = ['T error bad', 'T info good'];
