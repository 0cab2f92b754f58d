import { parseBool } from '../../machinery/go-values/index.ts';
import { admissionPluginProblems } from './admission-plugins.ts';
import { effectiveFeatureGates, featureGateProblems } from './feature-gates.ts';
import { pairProblems } from './pair-problems.ts';
import type { ServeConfig } from './serve-options.ts';
import { storageProblems } from './validate-storage.ts';

/**
 * What a table cannot say: problems between the options of `orch serve`, one sentence each. `spell` gives names as
 * their user writes them.
 */
export function serveConfigProblems(config: ServeConfig, spell: (name: string) => string): string[] {
  return [
    ...pairProblems(
      [config.tlsCertFile, config.tlsPrivateKeyFile],
      ['tls-cert-file', 'tls-private-key-file'],
    ),
    ...pairProblems(
      [config.nodeagentClientCertificate, config.nodeagentClientKey],
      [spell('nodeagent-client-certificate'), spell('nodeagent-client-key')],
    ),
    ...signingProblems(config, spell),
    ...pairProblems(
      [config.proxyClientCertFile, config.proxyClientKeyFile],
      ['proxy-client-cert-file', 'proxy-client-key-file'],
    ),
    ...requestHeaderProblems(config),
    ...tokenProblems(config),
    ...oidcProblems(config),
    ...authorizationProblems(config, spell),
    ...featureGateProblems(config.featureGates, spell),
    ...admissionPluginProblems(config),
    ...runtimeConfigProblems(config.runtimeConfig),
    ...serviceRangeProblems(config),
    ...auditProblems(config, spell),
    ...identityLeaseProblems(config),
    ...storageProblems(config),
  ];
}

/** An authority is one for all signers, or each may have its own. Source: release 1.20, `options.CSRSigningController`. */
function signingProblems(config: ServeConfig, spell: (name: string) => string): string[] {
  const signers = [
    [
      'orch-apiserver-client',
      config.clusterSigningOrchApiserverClientCertFile,
      config.clusterSigningOrchApiserverClientKeyFile,
    ],
    [
      'nodeagent-client',
      config.clusterSigningNodeagentClientCertFile,
      config.clusterSigningNodeagentClientKeyFile,
    ],
    [
      'nodeagent-serving',
      config.clusterSigningNodeagentServingCertFile,
      config.clusterSigningNodeagentServingKeyFile,
    ],
    ['legacy-unknown', config.clusterSigningLegacyUnknownCertFile, config.clusterSigningLegacyUnknownKeyFile],
  ] as const;
  const general = [config.clusterSigningCertFile, config.clusterSigningKeyFile] as const;
  const isForAll = general.some((file) => file !== undefined);
  const hasOwn = signers.some(([, certificate, key]) => certificate !== undefined || key !== undefined);
  return [
    ...pairProblems(general, ['cluster-signing-cert-file', 'cluster-signing-key-file']),
    ...signers.flatMap(([name, certificate, key]) =>
      pairProblems(
        [certificate, key],
        [spell(`cluster-signing-${name}-cert-file`), spell(`cluster-signing-${name}-key-file`)],
      ),
    ),
    ...(isForAll && hasOwn
      ? ['--cluster-signing-cert-file: cannot specify default and per controller certs at the same time']
      : []),
  ];
}

const oidcAlgorithm = /^(?:RS|ES|PS)(?:256|384|512)$/;

function oidcProblems({
  oidcIssuerUrl: issuer = '',
  oidcClientId: client = '',
  oidcUsernameClaim: claim,
  oidcSigningAlgs: algorithms,
  ...rest
}: ServeConfig): string[] {
  if ((issuer === '') !== (client === '')) {
    return ['oidc-issuer-url and oidc-client-id should be specified together'];
  }
  if (issuer === '') {
    const { oidcCaFile, oidcGroupsClaim, oidcGroupsPrefix, oidcUsernamePrefix, oidcRequiredClaim } = rest;
    const texts = [oidcCaFile, oidcGroupsClaim, oidcGroupsPrefix, oidcUsernamePrefix];
    const isIdle = texts.some(Boolean) || Object.keys(oidcRequiredClaim).length > 0;
    return isIdle
      ? ['--oidc-*: these flags mean nothing without --oidc-issuer-url and --oidc-client-id']
      : [];
  }
  const wrong = algorithms.find((algorithm) => !oidcAlgorithm.test(algorithm));
  return [
    ...(URL.parse(issuer)?.protocol === 'https:' ? [] : [`--oidc-issuer-url: '${issuer}' is no https URL`]),
    ...(claim === '' ? ['--oidc-username-claim: no username claim provided'] : []),
    ...(wrong === undefined ? [] : [`--oidc-signing-algs: unsupported signing alg: ${wrong}`]),
  ];
}

/** Release 1.20's bounds. */
function tokenProblems({
  serviceAccountMaxTokenExpirationMs: maxMs,
  serviceAccountJwksUri: keySet,
}: ServeConfig): string[] {
  const isWrong = maxMs !== 0 && (maxMs < 3_600_000 || maxMs > 2 ** 32 * 1000);
  return [
    ...(isWrong ? ['the service-account-max-token-expiration must be between 1 hour and 2^32 seconds'] : []),
    ...(keySet === undefined || URL.parse(keySet)?.protocol === 'https:'
      ? []
      : [`--service-account-jwks-uri: must be an https URL, but value '${keySet}' provided`]),
  ];
}

/** The reference's words for a list that has an item of blanks only. */
function requestHeaderProblems(config: ServeConfig): string[] {
  return Object.entries({
    'requestheader-username-headers': config.requestheaderUsernameHeaders,
    'requestheader-group-headers': config.requestheaderGroupHeaders,
    'requestheader-extra-headers-prefix': config.requestheaderExtraHeadersPrefix,
    'requestheader-allowed-names': config.requestheaderAllowedNames,
  })
    .filter(([, values]) => values.some((value) => value.trim() === ''))
    .map(([flag]) => `--${flag}: empty value in "${flag}"`);
}

function auditProblems(config: ServeConfig, spell: (name: string) => string): string[] {
  const { auditLogPath: path, auditWebhookConfigFile: webhook, auditPolicyFile: policy } = config;
  const used = [...(path ? ['audit-log-path'] : []), ...(webhook ? ['audit-webhook-config-file'] : [])];
  if (config.featureGates.AdvancedAuditing === false)
    return used.map((name) => `--${name}: needs the feature gate ${spell('AdvancedAuditing')}`);
  if (used.length === 0 && policy !== undefined)
    return ['--audit-policy-file: needs --audit-log-path or --audit-webhook-config-file, where events go'];
  return [
    ...(path ? auditSinkProblems('log', config) : []),
    ...(webhook ? auditSinkProblems('webhook', config) : []),
  ];
}

/** What release 1.20 refuses about the batches of a sink, and about how events are cut. */
function auditSinkProblems(sink: 'log' | 'webhook', config: ServeConfig): string[] {
  const isLog = sink === 'log';
  const version = isLog ? config.auditLogVersion : config.auditWebhookVersion;
  const isThrottled = isLog ? config.auditLogBatchThrottleEnable : config.auditWebhookBatchThrottleEnable;
  const perSecond = isLog ? config.auditLogBatchThrottleQps : config.auditWebhookBatchThrottleQps;
  const burst = isLog ? config.auditLogBatchThrottleBurst : config.auditWebhookBatchThrottleBurst;
  const isCut = isLog ? config.auditLogTruncateEnabled : config.auditWebhookTruncateEnabled;
  const eventBytes = isLog ? config.auditLogTruncateMaxEventSize : config.auditWebhookTruncateMaxEventSize;
  const batchBytes = isLog ? config.auditLogTruncateMaxBatchSize : config.auditWebhookTruncateMaxBatchSize;
  const isBatch = (isLog ? config.auditLogMode : config.auditWebhookMode) === 'batch';
  return [
    ...(/^audit\.[^/]+\/v1(?:alpha1|beta1)?$/.test(version)
      ? []
      : [`--audit-${sink}-version: ${JSON.stringify(version)} is no version of events`]),
    ...(isBatch && isThrottled && perSecond <= 0
      ? [`--audit-${sink}-batch-throttle-qps: must be positive`]
      : []),
    ...(isBatch && isThrottled && burst <= 0
      ? [`--audit-${sink}-batch-throttle-burst: must be positive`]
      : []),
    ...(isCut && eventBytes > batchBytes
      ? [`--audit-${sink}-truncate-max-event-size: must not be greater than that of a batch`]
      : []),
  ];
}

/** Release 1.20 looks at these only with their gate. */
function identityLeaseProblems(config: ServeConfig): string[] {
  if (!effectiveFeatureGates(config.featureGates).APIServerIdentity) return [];
  return Object.entries({
    'identity-lease-duration-seconds': config.identityLeaseDurationSeconds,
    'identity-lease-renew-interval-seconds': config.identityLeaseRenewIntervalSeconds,
  })
    .filter(([, seconds]) => seconds <= 0)
    .map(([name, seconds]) => `--${name} should be a positive number, but value '${seconds}' provided`);
}

function authorizationProblems(
  {
    authorizationMode: modes,
    authorizationPolicyFile: policyFile,
    authorizationWebhookConfigFile: webhookFile,
    authorizationOrchconfig: serverFile,
  }: ServeConfig,
  spell: (name: string) => string,
): string[] {
  if (modes.length === 0) return ['--authorization-mode: needs at least one mode'];
  const twice = modes.find((mode, index) => modes.indexOf(mode) !== index);
  return [
    ...(twice === undefined ? [] : [`--authorization-mode: ${twice} is given more than once`]),
    ...fileProblems(modes, { mode: 'ABAC', flag: 'authorization-policy-file', file: policyFile }),
    ...(serverFile === undefined || webhookFile !== undefined
      ? fileProblems(modes, { mode: 'Webhook', flag: 'authorization-webhook-config-file', file: webhookFile })
      : fileProblems(modes, { mode: 'Webhook', flag: spell('authorization-orchconfig'), file: serverFile })),
    ...(serverFile !== undefined && webhookFile !== undefined
      ? [`--${spell('authorization-orchconfig')}: not with --authorization-webhook-config-file`]
      : []),
  ];
}

/** A mode and the file that it works by are given together. */
function fileProblems(
  modes: readonly string[],
  { mode, flag, file }: { readonly mode: string; readonly flag: string; readonly file: string | undefined },
): string[] {
  const isOn = modes.includes(mode);
  if (isOn && file === undefined) return [`--authorization-mode: ${mode} needs --${flag}`];
  return !isOn && file !== undefined ? [`--${flag}: needs --authorization-mode=${mode}`] : [];
}

const runtimeKey =
  /^(?:api\/(?:all|ga|beta|alpha|legacy)|v1|[a-z\d.-]+\/v\d+(?:(?:alpha|beta)\d+)?(?:\/[a-z]+)?)$/;

function runtimeConfigProblems(switches: Readonly<Record<string, string>>): string[] {
  return Object.entries(switches).flatMap(([key, value]) => {
    if (!runtimeKey.test(key))
      return [
        `--runtime-config: ${key} is neither group/version nor one of api/all, api/ga, api/beta, api/alpha`,
      ];
    return value === '' || parseBool(value) !== undefined
      ? []
      : [`--runtime-config: the value of ${key} must be true or false`];
  });
}

function serviceRangeProblems({ serviceClusterIpRange: ranges, featureGates }: ServeConfig): string[] {
  const gates = effectiveFeatureGates(featureGates);
  if (ranges.length === 0) return ['--service-cluster-ip-range: needs a network'];
  if (ranges.length > 2) return ['--service-cluster-ip-range must not hold more than two entries'];
  const isSix = ranges.map((range) => range.includes(':'));
  return [
    ...(ranges.length === 2 && !(gates.IPv6DualStack && gates.EndpointSlice)
      ? [
          '--service-cluster-ip-range: secondary service cluster-ip range can only be used if IPv6DualStack and EndpointSlice feature is enabled',
        ]
      : []),
    ...(ranges.length === 2 && isSix[0] === isSix[1]
      ? ['--service-cluster-ip-range and its second entry must be of different IP families']
      : []),
    ...ranges.flatMap((range) => {
      const bits = range.includes(':') ? 128 : 32;
      const mask = Number(range.split('/')[1]);
      return bits - mask > 20
        ? [
            `--service-cluster-ip-range: ${range} is too large; for ${bits}-bit addresses, the mask must be >= ${bits - 20}`,
          ]
        : [];
    }),
  ];
}
