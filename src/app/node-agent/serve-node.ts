import { type Clock, errorText, type Logger, systemClock } from '../../base/index.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProgramIo } from '../program-io.ts';
import { untilStopSignal } from '../stop-signals.ts';
import { openAgentLog } from './log/open-agent-log.ts';
import type { NodeAgentRun } from './node-agent-run.ts';
import { holdLockFile, prepareMachine } from './prepare-machine.ts';
import { MachineError, prepareProcess } from './prepare-process.ts';
import { podName, runOnce } from './run-once.ts';
import { type RunningNodeAgent, startNodeAgent } from './start-node-agent.ts';

/** What release 1.20 ends with when it cannot start. */
const cannotStart = 255;

/** Runs an agent until a signal ends it, or its single run is over. Returns the exit code. */
export async function serveNode(run: NodeAgentRun, io: ProgramIo): Promise<number> {
  const { config, dialect, version, dynamicConfig } = run;
  using log = await openAgentLog(config, dialect.spell('nodeagent'));
  const { logger } = log;
  const clock = systemClock;
  // A signal counts from here on: one that comes during the start stops the agent as soon as it can be stopped.
  const end = new AbortController();
  const { signal } = end;
  const stopped = Promise.withResolvers<string>();
  void untilStopSignal().then(stopped.resolve);
  void stopped.promise.then(() => end.abort());
  // Neither timers nor signals keep a process alive, and there may be no server.
  const keepAlive = setInterval(() => {}, 2 ** 30);
  try {
    prepareProcess(config, logger);
    await using lock = await holdLockFile({ config, clock, logger, signal }, () =>
      stopped.resolve('lock file contention'),
    );
    await prepareMachine({ config, dialect, clock, logger, signal });
    const setVerbosity = (level: number): void => log.setVerbosity(level);
    const environment = Object.fromEntries(Object.entries(io.env).filter((entry) => isSet(entry)));
    const common = { config, dialect, version, logger, setVerbosity, clock, signal };
    const again = { dynamicConfig, end: stopped.resolve };
    const agent = await startNodeAgent({ ...common, ...again, environment });
    const { securePort, readOnlyPort, healthzPort } = agent.servers ?? {};
    const isLocked = lock !== undefined;
    logger.info('started', { node: agent.nodeName, securePort, readOnlyPort, healthzPort, isLocked });
    if (config.runOnce) return await reportRun(agent, { config, io, clock, logger, signal });
    const reason = await stopped.promise;
    logger.info('stopping; pods run on', { reason });
    await agent.stop();
    return exitCodes.success;
  } catch (error) {
    if (signal.aborted) return exitCodes.success; // what was given up because of the signal
    const text = errorText(error);
    io.err(`${dialect.spell('nodeagent')}: ${text}\n`);
    if (!(error instanceof MachineError)) logger.error('agent start failed', { error });
    return cannotStart;
  } finally {
    clearInterval(keepAlive);
    end.abort();
  }
}

interface RunContext {
  readonly config: AgentConfig;
  readonly io: ProgramIo;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Says of each local pod whether it started. */
async function reportRun(
  agent: RunningNodeAgent,
  { config, io, clock, logger, signal }: RunContext,
): Promise<number> {
  const { started, failed, brokenManifests } = await runOnce({
    pods: agent.pods,
    whenRead: agent.sources.whenStaticRead,
    brokenManifests: () => agent.sources.failures(),
    onVerdict(pod, verdict) {
      if (verdict.kind === 'started') io.out(`started pod "${podName(pod)}"\n`);
      else io.err(`failed to start pod "${podName(pod)}": ${verdict.message}\n`);
    },
    clock,
    signal,
  });
  await agent.stop();
  logger.info('single run finished; pods run on', { started: started.length, failed: failed.length });
  if (config.podManifestPath === '' && config.manifestUrl === '') {
    io.err('runonce failed: no pod manifest update after 1s (--pod-manifest-path, --manifest-url)\n');
    return cannotStart;
  }
  if (failed.length === 0 && brokenManifests === 0) return exitCodes.success;
  const broken = brokenManifests === 0 ? [] : [`${brokenManifests} manifests could not be used`];
  io.err(`runonce failed: error running pods: [${[...failed, ...broken].join(' ')}]\n`);
  return cannotStart;
}

const isSet = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;
