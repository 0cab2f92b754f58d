import { formatDurationMs } from '../../../machinery/go-values/index.ts';
import type { CheckContext } from '../check-context.ts';
import { parseCpuSet } from '../cpu-set.ts';
import type { AgentProblem } from '../problem.ts';
import { readQosReserved, readReservations } from '../reservations.ts';
import { configurationProblem, runProblem } from './sentence.ts';

/** Cgroups, reservations and processors: what each needs, and what excludes what. */
export function checkResources(context: CheckContext): AgentProblem[] {
  return [
    ...checkCgroups(context),
    ...checkEnforcement(context),
    ...checkReservedCpus(context),
    ...checkAmounts(context),
    ...checkCpu(context),
  ];
}

function checkCgroups({ values }: CheckContext): AgentProblem[] {
  const problems: AgentProblem[] = [];
  if (!values.cgroupsPerQos && values.enforceNodeAllocatable.length > 0) {
    problems.push({
      ...configurationProblem(
        'enforceNodeAllocatable (--enforce-node-allocatable) is not supported unless cgroupsPerQOS (--cgroups-per-qos) is set to true',
      ),
      advice: 'give --enforce-node-allocatable= with --cgroups-per-qos=false',
    });
  }
  if (values.systemCgroups !== '' && values.cgroupRoot === '') {
    problems.push(
      configurationProblem(
        'systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not specified',
      ),
    );
  }
  return problems;
}

const reservedLevels = [
  { level: 'system-reserved', key: 'systemReservedCgroup', flag: '--system-reserved-cgroup' },
  { level: 'orch-reserved', key: 'orchReservedCgroup', flag: '--orch-reserved-cgroup' },
] as const;

function checkEnforcement({ values, dialect }: CheckContext): AgentProblem[] {
  const levels = values.enforceNodeAllocatable;
  const option = 'enforceNodeAllocatable (--enforce-node-allocatable)';
  const problems: AgentProblem[] = reservedLevels
    .filter(({ level, key }) => levels.includes(level) && values[key] === '')
    .map(({ level, key, flag }) =>
      configurationProblem(
        dialect.spell(`${key} (${flag}) must be specified when '${level}' contained in ${option}`),
      ),
    );
  if (levels.includes('none') && levels.length > 1) {
    problems.push(
      configurationProblem(`${option} may not contain additional enforcements when 'none' is specified`),
    );
  }
  return problems;
}

function checkReservedCpus({ values, dialect }: CheckContext): AgentProblem[] {
  if (values.reservedCpus === '') return [];
  const problems: AgentProblem[] = [];
  if (values.systemReservedCgroup !== '' || values.orchReservedCgroup !== '') {
    const text =
      "can't use reservedSystemCPUs (--reserved-cpus) with systemReservedCgroup (--system-reserved-cgroup) or orchReservedCgroup (--orch-reserved-cgroup)";
    problems.push({ text: dialect.spell(text), names: [] });
  }
  const cpus = parseCpuSet(values.reservedCpus);
  if ('problem' in cpus) {
    problems.push({
      text: `unable to parse reservedSystemCPUs (--reserved-cpus), error: ${cpus.problem}`,
      names: [],
    });
  }
  return problems;
}

function checkAmounts({ values, dialect }: CheckContext): AgentProblem[] {
  const reserved = (texts: Readonly<Record<string, string>>, flag: string) =>
    readReservations(texts).problems.map((text) => runProblem(text, dialect.spell(flag)));
  return [
    ...reserved(values.orchReserved, '--orch-reserved'),
    ...reserved(values.systemReserved, '--system-reserved'),
    ...readQosReserved(values.qosReserved).problems.map((text) => runProblem(text, '--qos-reserved')),
  ];
}

const maxQuotaPeriodMs = 1000;
const minQuotaPeriodMs = 0.001;

function checkCpu({ values, features, dialect }: CheckContext): AgentProblem[] {
  const problems: AgentProblem[] = [];
  const period = values.cpuCfsQuotaPeriodMs;
  if (features.CustomCPUCFSQuotaPeriod && (period < minQuotaPeriodMs || period > maxQuotaPeriodMs)) {
    problems.push(
      configurationProblem(
        `cpuCFSQuotaPeriod (--cpu-cfs-quota-period) ${formatDurationMs(period)} must be between 1usec and 1sec, inclusive`,
      ),
    );
  }
  const isStatic = values.cpuManagerPolicy === 'static' && features.CPUManager;
  const missing = isStatic ? missingReservation(values) : undefined;
  if (missing !== undefined) {
    problems.push({
      ...runProblem(dialect.spell(`[cpumanager] ${missing}`), '--cpu-manager-policy'),
      advice: dialect.spell(
        'reserve processors with --reserved-cpus, or cpu with --system-reserved or --orch-reserved',
      ),
    });
  }
  return problems;
}

/** What the static policy misses: processors that pods cannot have to themselves. */
function missingReservation({
  reservedCpus,
  systemReserved,
  orchReserved,
}: CheckContext['values']): string | undefined {
  if (reservedCpus !== '') return undefined;
  const reservations = [systemReserved, orchReserved];
  if (!reservations.some((texts) => Object.hasOwn(texts, 'cpu'))) {
    return 'unable to determine reserved CPU resources for static policy';
  }
  return reservations.some((texts) => readReservations(texts).reserved.cpuMillis > 0)
    ? undefined
    : 'the static policy requires systemreserved.cpu + orchreserved.cpu to be greater than zero';
}
