import { formatDurationMs } from '../../../machinery/go-values/index.ts';
import type { CheckContext } from '../check-context.ts';
import { featureGateProblems } from '../feature-gates.ts';
import type { AgentProblem } from '../problem.ts';
import { configurationProblem } from './sentence.ts';

/** Switches of features that cannot be, and options whose feature is off. */
export function checkGates(context: CheckContext): AgentProblem[] {
  return [...featureGateProblems(context.values.featureGates, context.dialect), ...checkNeededGates(context)];
}

function checkNeededGates({ values, features, dialect }: CheckContext): AgentProblem[] {
  const problems: AgentProblem[] = [];
  const need = (
    gate: keyof typeof features,
    isUsed: boolean,
    sentence: (gate: string) => string,
    ...names: string[]
  ) => {
    const name = dialect.spell(gate);
    if (!isUsed || features[gate]) return;
    problems.push({
      ...configurationProblem(sentence(name), ...names),
      advice: `--feature-gates=${name}=true`,
    });
  };
  const period = formatDurationMs(values.cpuCfsQuotaPeriodMs);
  need(
    'CustomCPUCFSQuotaPeriod',
    values.cpuCfsQuotaPeriodMs !== 100,
    (gate) => `cpuCFSQuotaPeriod {${period}} requires feature gate ${gate}`,
    '--cpu-cfs-quota-period',
  );
  need(
    'RotateNodeAgentServerCertificate',
    values.rotateServerCertificates,
    (gate) => `serverTLSBootstrap true requires feature gate ${gate}`,
    '--rotate-server-certificates',
  );
  need(
    'QOSReserved',
    Object.keys(values.qosReserved).length > 0,
    (gate) => `qosReserved (--qos-reserved) requires feature gate ${gate}`,
    '--qos-reserved',
  );
  need(
    'TopologyManager',
    values.topologyManagerPolicy !== 'none',
    (gate) => `topologyManagerPolicy ${values.topologyManagerPolicy} requires feature gate ${gate}`,
    '--topology-manager-policy',
  );
  need(
    'GracefulNodeShutdown',
    values.shutdownGracePeriodMs !== 0 || values.shutdownGracePeriodCriticalPodsMs !== 0,
    (gate) =>
      `Specifying ShutdownGracePeriod or ShutdownGracePeriodCriticalPods requires feature gate ${gate}`,
    'shutdownGracePeriod',
    'shutdownGracePeriodCriticalPods',
  );
  if (values.dynamicConfigDir !== '' && !features.DynamicNodeAgentConfig) {
    const gate = dialect.spell('DynamicNodeAgentConfig');
    const text = `the ${gate} feature gate must be enabled in order to use the --dynamic-config-dir flag`;
    problems.push({ text, names: ['--dynamic-config-dir'], advice: `--feature-gates=${gate}=true` });
  }
  return problems;
}
