import { type AnyOptionValue, isZeroValue } from '../../config/index.ts';
import type { CheckContext } from './check-context.ts';
import { networkWarnings } from './checks/network.ts';
import { runtimeWarnings } from './checks/runtime.ts';
import { tlsWarnings } from './checks/tls.ts';
import { agentFeatureWarnings } from './feature-gates.ts';
import type { LayeredOptions } from './layer-options.ts';
import { type AgentOption, agentOptions, optionName } from './option-table.ts';

const toFile =
  "This parameter should be set via the config file specified by the NodeAgent's --config flag. See https://orch.io/docs/tasks/administer-cluster/nodeagent-config-file/ for more information.";

/** What release 1.20 says about deprecated flags in use: one sentence each. */
export function deprecationNotices(given: readonly AgentOption[]): string[] {
  return given
    .filter(({ deprecated }) => deprecated !== undefined)
    .map(
      ({ flag, deprecated }) => `Flag --${flag} has been deprecated, ${deprecationText(deprecated ?? '')}`,
    );
}

/** The words about a deprecated option. */
export function deprecationText(deprecated: string): string {
  return deprecated === 'config' ? toFile : deprecated;
}

/** What release 1.20 does not say: fields that take the place of flags, stages of flags in use, and options without effect. */
export function usageHints(given: readonly AgentOption[], layered: LayeredOptions): string[] {
  const moved = given.filter(({ deprecated, field }) => deprecated === 'config' && field !== undefined);
  const fields = moved.map(({ flag, field }) => `${field} for --${flag}`);
  return [
    ...(fields.length === 0 ? [] : [`In the file of --config these are: ${fields.join(', ')}`]),
    ...given
      .filter(({ stage }) => stage === 'alpha' || stage === 'experimental')
      .map(
        (option) =>
          `${optionName(option)} is ${option.stage === 'alpha' ? 'an alpha' : 'an experimental'} option: it may change or go away`,
      ),
    ...noEffectHints(layered),
  ];
}

/** Options that are set and change nothing here. */
function noEffectHints({ values, origins }: LayeredOptions): string[] {
  const byKey = new Map<string, AnyOptionValue>(Object.entries(values));
  return agentOptions.flatMap((option) => {
    const { key = '', field, noEffect } = option;
    const [value, origin] = [byKey.get(key), origins.get(key)];
    if (noEffect === undefined || value === undefined) return [];
    if ((origin !== 'flag' && origin !== 'file') || isZeroValue(value)) return [];
    return [`${origin === 'file' ? field : optionName(option)} has no effect: ${noEffect}`];
  });
}

/** What is worth a warning in a configuration that can run. `given` are the flags in use. */
export function configWarnings(context: CheckContext, given: readonly AgentOption[]): string[] {
  return [
    ...agentFeatureWarnings(context.values.featureGates, context.features, context.dialect),
    ...lenientWarnings(context),
    ...networkWarnings(context),
    ...tlsWarnings(context),
    ...runtimeWarnings(context),
    ...credentialWarnings(context),
    ...loggingWarnings(context, given),
  ];
}

function lenientWarnings({ values }: CheckContext): string[] {
  const byKey = new Map<string, unknown>(Object.entries(values));
  return agentOptions.flatMap((option) => {
    const value = byKey.get(option.key ?? '');
    if (!option.lenient || typeof value !== 'string' || option.allowed?.includes(value)) return [];
    return [
      `${option.field} (${optionName(option)}) "${value}" is none of ${option.allowed?.join(', ')}; ${option.allowed?.[0]} is used`,
    ];
  });
}

function credentialWarnings({ values, features, dialect }: CheckContext): string[] {
  const isUsed = values.imageCredentialProviderConfig !== '' || values.imageCredentialProviderBinDir !== '';
  if (!isUsed || features.NodeAgentCredentialProviders) return [];
  return [
    `Flags --image-credential-provider-config or --image-credential-provider-bin-dir were set but the feature gate ${dialect.spell('NodeAgentCredentialProviders')} was disabled, these flags will be ignored`,
  ];
}

const textLogFlags = new Set(
  'add-dir-header alsologtostderr log-backtrace-at log-dir log-file log-file-max-size logtostderr skip-headers skip-log-headers stderrthreshold log-flush-frequency'.split(
    ' ',
  ),
);

function loggingWarnings({ values }: CheckContext, given: readonly AgentOption[]): string[] {
  const ignored = given.filter(({ flag = '' }) => textLogFlags.has(flag)).map(optionName);
  if (values.loggingFormat === 'text' || ignored.length === 0) return [];
  return [`--logging-format=${values.loggingFormat} is alpha and ignores ${ignored.join(', ')}`];
}
