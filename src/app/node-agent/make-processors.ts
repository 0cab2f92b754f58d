import { runtimeLabelNames } from '../../nodeagent/container-config/index.ts';
import type { CpuHold, Processors, RunningContainer } from '../../nodeagent/processors/index.ts';
import { CpuStateFile, ProcessorsError } from '../../nodeagent/processors/state/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentLinks } from './agent-links.ts';
import { MachineError } from './prepare-process.ts';

/**
 * Who has which processors, kept up until the agent ends; undefined when containers share all of them. That too is kept
 * on disk: an operator must decide what becomes of running pods when the policy changes.
 *
 * @throws MachineError for a reservation that the machine does not have, and a state that the agent cannot go on with
 */
export async function makeProcessors(base: AgentBase, links: AgentLinks): Promise<Processors | undefined> {
  const { config, dialect, machine } = base;
  if (config.reservedCpuIds.some((id) => id >= machine.cpuCount)) {
    const problem = `Invalid cpuset "${config.reservedCpus}" specified by --reserved-cpus`;
    throw new MachineError(dialect.spell(`failed to run NodeAgent: ${problem}`));
  }
  if (!config.features.CPUManager) return undefined;
  const file = new CpuStateFile(config.rootDir, dialect.spell('NodeAgent'));
  try {
    return config.cpuManagerPolicy === 'static'
      ? await openStatic(base, links, file)
      : await claimForNone(file);
  } catch (error) {
    if (!(error instanceof ProcessorsError)) throw error;
    throw new MachineError(`Failed to start ContainerManager start cpu manager error: ${error.message}`);
  }
}

async function claimForNone(file: CpuStateFile): Promise<undefined> {
  const policyName = 'none';
  if ((await file.read(policyName)) !== undefined) return;
  await file.write({ policyName, defaultCpuSet: '', entries: new Map() });
}

async function openStatic(
  { config, dialect, clock, logger, driver, signal }: AgentBase,
  links: AgentLinks,
  file: CpuStateFile,
): Promise<Processors> {
  const { podUid } = runtimeLabelNames(dialect);
  const { openProcessors } = await import('../../nodeagent/processors/index.ts');
  const processors = await openProcessors({
    config,
    file,
    runtime: driver.runtime,
    holdOf: (uid, name): CpuHold => links.manager?.standingOf(uid, name) ?? 'wanted',
    running: () =>
      (links.watch?.listing.containers ?? []).flatMap(
        ({ id, state, metadata, labels }): RunningContainer[] =>
          state === 'running' ? [{ id, podUid: labels[podUid] ?? '', name: metadata.name }] : [],
      ),
    clock,
    logger,
  });
  void processors.run(signal);
  links.processors = processors;
  return processors;
}
