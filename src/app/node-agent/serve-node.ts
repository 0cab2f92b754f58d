import { systemClock } from '../../base/index.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProgramIo } from '../program-io.ts';
import type { NodeAgentRun } from '../run-node-agent.ts';
import { untilStopSignal } from '../stop-signals.ts';
import { openAgentLog } from './agent-log.ts';
import { MachineError, prepareProcess } from './prepare-process.ts';
import { startNodeAgent } from './start-node-agent.ts';

/** What the reference ends with when it cannot start. */
const cannotStart = 255;

/** Runs an agent until a signal ends it. Returns the exit code. */
export async function serveNode({ config, dialect, version }: NodeAgentRun, io: ProgramIo): Promise<number> {
  using log = openAgentLog(config, dialect.spell('nodeagent'));
  const { logger } = log;
  // A signal counts from here on: one that comes during the start stops the agent as soon as it can be stopped.
  const stopped = untilStopSignal();
  try {
    prepareProcess(config, logger);
    const setVerbosity = (level: number): void => log.setVerbosity(level);
    const environment = Object.fromEntries(Object.entries(io.env).filter((entry) => isSet(entry)));
    const common = { config, dialect, version, logger, setVerbosity };
    const agent = await startNodeAgent({ ...common, environment, clock: systemClock });
    const { securePort, readOnlyPort, healthzPort } = agent.servers ?? {};
    logger.info('started', { node: agent.nodeName, securePort, readOnlyPort, healthzPort });
    const reason = await stopped;
    logger.info('stopping; pods run on', { reason });
    await agent.stop();
    return exitCodes.success;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    io.err(`${dialect.spell('nodeagent')}: ${text}\n`);
    if (!(error instanceof MachineError)) logger.error('the agent could not be started', { error });
    return cannotStart;
  }
}

const isSet = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;
