// Made from agent-options.json by scripts/generate-nodeagent.ts.
import type { NodeTaint } from '../../config/index.ts';

/** The value of every option and field of the node agent; nothing is undefined. */
export interface AgentOptionValues {
  /** --add-dir-header: Adds the file directory to log message headers. */
  readonly addDirHeader: boolean;
  /** --address: Serve address (0.0.0.0 all IPv4, :: all IPv6). */
  readonly address: string;
  /** --allowed-unsafe-sysctls: Comma-separated allow list of unsafe sysctls or patterns ending in *. */
  readonly allowedUnsafeSysctls: readonly string[];
  /** --alsologtostderr: Log to standard error as well as files. */
  readonly alsoLogToStderr: boolean;
  /** --anonymous-auth: Allow anonymous requests; they get user system:anonymous, group system:unauthenticated. */
  readonly anonymousAuth: boolean;
  /** --application-metrics-count-limit: Number of application metrics kept for each container. */
  readonly applicationMetricsCountLimit: string;
  /** --authentication-token-webhook: Check bearer tokens through the token review API. */
  readonly authenticationTokenWebhook: boolean;
  /** --authentication-token-webhook-cache-ttl: Cache lifetime of token webhook answers. */
  readonly authenticationTokenWebhookCacheTtlMs: number;
  /** --authorization-mode: Values AlwaysAllow, Webhook (uses the access review API). */
  readonly authorizationMode: 'AlwaysAllow' | 'Webhook';
  /** --authorization-webhook-cache-authorized-ttl: Cache of 'authorized' answers. */
  readonly authorizationWebhookCacheAuthorizedTtlMs: number;
  /** --authorization-webhook-cache-unauthorized-ttl: Cache of 'unauthorized' answers. */
  readonly authorizationWebhookCacheUnauthorizedTtlMs: number;
  /** --boot-id-file: Files that may hold the boot id, comma-separated. */
  readonly bootIdFile: string;
  /** --bootstrap-orchconfig: Path to a client configuration used to obtain a client certificate if the file at --orchconfig does not exist; on success a config referencing the generated certificate and key is written to the --orchconfig path; certificate and key are stored in --cert-dir. */
  readonly bootstrapOrchconfigPath: string;
  /** --cert-dir: Directory of TLS certificates; ignored if both --tls-cert-file and --tls-private-key-file are set. */
  readonly certDir: string;
  /** --cgroup-driver: Values cgroupfs, systemd. */
  readonly cgroupDriver: string;
  /** --cgroup-root: Root cgroup for pods, best effort. */
  readonly cgroupRoot: string;
  /** --cgroups-per-qos: Create the QoS cgroup hierarchy. */
  readonly cgroupsPerQos: boolean;
  /** --chaos-chance: If above 0.0, inject random client errors and latency (testing). */
  readonly chaosChance: number;
  /** --client-ca-file: Requests with a client certificate signed by these authorities are authenticated as the certificate's CommonName. */
  readonly clientCaFile: string;
  /** --cloud-config: Cloud provider configuration file path; empty means none. */
  readonly cloudConfig: string;
  /** --cloud-provider: Cloud provider; empty means none; if set it decides the node name. */
  readonly cloudProvider: '' | 'external';
  /** --cloudx-container-registry-config: Path to a registry configuration file of a cloud registry. */
  readonly cloudxContainerRegistryConfig: string;
  /** --cluster-dns: DNS server IPs for pods with dnsPolicy=ClusterFirst; all must serve the same records. */
  readonly clusterDns: readonly string[];
  /** --cluster-domain: Cluster domain added to container search domains. */
  readonly clusterDomain: string;
  /** --cni-bin-dir: Comma-separated directories of network plugin binaries; only with container runtime legacyrt. */
  readonly cniBinDir: string;
  /** --cni-cache-dir: Directory for network plugin cache files; only with legacyrt. */
  readonly cniCacheDir: string;
  /** --cni-conf-dir: Directory of network plugin config files; only with legacyrt. */
  readonly cniConfDir: string;
  /** Field configMapAndSecretChangeDetectionStrategy: How changes of config maps and secrets are found: Get, Cache or Watch. */
  readonly configMapAndSecretChangeDetectionStrategy: 'Get' | 'Cache' | 'Watch';
  /** --config: Initial configuration file: an absolute path, or one relative to the working directory; without it the built-in defaults count. */
  readonly configPath: string;
  /** --container-hints: File of hints about containers. */
  readonly containerHints: string;
  /** --container-log-max-files: Max log files per container, at least 2; only with --container-runtime=remote. */
  readonly containerLogMaxFiles: number;
  /** --container-log-max-size: Max container log file size before rotation; only with remote. */
  readonly containerLogMaxSize: string;
  /** --container-runtime: Values legacyrt, remote. */
  readonly containerRuntime: 'legacyrt' | 'remote';
  /** --container-runtime-endpoint: Remote runtime endpoint; unix socket on Linux, npipe and tcp on Windows. */
  readonly containerRuntimeEndpoint: string;
  /** --containerd: Endpoint of containerd. */
  readonly containerd: string;
  /** --containerd-namespace: Namespace of containerd. */
  readonly containerdNamespace: string;
  /** --contention-profiling: Lock contention profiling when profiling is on. */
  readonly contentionProfiling: boolean;
  /** --cpu-cfs-quota: Enforce CPU quota for containers with CPU limits. */
  readonly cpuCfsQuota: boolean;
  /** --cpu-cfs-quota-period: CPU quota period (cpu.cfs_period_us). */
  readonly cpuCfsQuotaPeriodMs: number;
  /** --cpu-manager-policy: Values none, static. */
  readonly cpuManagerPolicy: 'none' | 'static';
  /** --cpu-manager-reconcile-period: CPU manager reconciliation period; if not supplied, the node status update frequency. */
  readonly cpuManagerReconcilePeriodMs: number;
  /** --dynamic-config-dir: Directory for checkpointing downloaded configuration and tracking its health; created if absent; enables dynamic configuration; needs gate DynamicNodeAgentConfig (beta, default true). */
  readonly dynamicConfigDir: string;
  /** --enable-controller-attach-detach: Let the attach/detach controller manage volumes for this node; the agent then performs no attach/detach. */
  readonly enableControllerAttachDetach: boolean;
  /** --enable-debugging-handlers: Endpoints for log collection and local running of containers and commands. */
  readonly enableDebuggingHandlers: boolean;
  /** --enable-load-reader: Read the load of processors. */
  readonly enableLoadReader: boolean;
  /** --enable-metrics-json-endpoints: Enable JSON /spec and /stats/* endpoints of the metrics agent; no effect on /stats/summary. */
  readonly enableMetricsJsonEndpoints: boolean;
  /** --enable-server: Enable the agent's server. */
  readonly enableServer: boolean;
  /** Field enableSystemLogHandler: Serves the logs of the system under /logs/. */
  readonly enableSystemLogHandler: boolean;
  /** --enforce-node-allocatable: Levels none, pods, system-reserved, orch-reserved; the last two need --system-reserved-cgroup / --orch-reserved-cgroup; none must stand alone. */
  readonly enforceNodeAllocatable: readonly string[];
  /** --event-burst: Burst ceiling of event records; used only if --event-qps above 0. */
  readonly eventBurst: number;
  /** --event-qps: Events created per second; 0 is unlimited. */
  readonly eventQps: number;
  /** --event-storage-age-limit: How long events are kept, by their type. */
  readonly eventStorageAgeLimit: string;
  /** --event-storage-event-limit: How many events are kept, by their type. */
  readonly eventStorageEventLimit: string;
  /** --eviction-hard: Thresholds that trigger pod eviction. */
  readonly evictionHard: Readonly<Record<string, string>>;
  /** --eviction-max-pod-grace-period: Max grace period in seconds when evicting for a soft threshold; negative defers to the pod's value. */
  readonly evictionMaxPodGracePeriodSeconds: number;
  /** --eviction-minimum-reclaim: Minimum amount to reclaim per resource under pressure. */
  readonly evictionMinimumReclaim: Readonly<Record<string, string>>;
  /** --eviction-pressure-transition-period: Wait before leaving a pressure condition. */
  readonly evictionPressureTransitionPeriodMs: number;
  /** --eviction-soft: Thresholds that trigger eviction when held for the grace period. */
  readonly evictionSoft: Readonly<Record<string, string>>;
  /** --eviction-soft-grace-period: How long a soft threshold must hold. */
  readonly evictionSoftGracePeriod: Readonly<Record<string, string>>;
  /** --exit-on-lock-contention: Exit on lock-file contention. */
  readonly exitOnLockContention: boolean;
  /** --experimental-allocatable-ignore-eviction: Ignore hard eviction thresholds when computing node allocatable. */
  readonly experimentalAllocatableIgnoreEviction: boolean;
  /** --experimental-check-node-capabilities-before-mount: Check node components before mounting. */
  readonly experimentalCheckNodeCapabilitiesBeforeMount: boolean;
  /** --experimental-log-sanitization: Prevent logging fields tagged sensitive; may add overhead, not for production. */
  readonly experimentalLogSanitization: boolean;
  /** --experimental-mounter-path: Mounter binary path. */
  readonly experimentalMounterPath: string;
  /** --fail-swap-on: Fail to start if swap is on. */
  readonly failSwapOn: boolean;
  /** --feature-gates: key=value pairs that turn features on and off. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** --file-check-frequency: Interval of checking config files. */
  readonly fileCheckFrequencyMs: number;
  /** --global-housekeeping-interval: Interval between global housekeepings. */
  readonly globalHousekeepingIntervalMs: number;
  /** --hairpin-mode: Values promiscuous-bridge, hairpin-veth, none. */
  readonly hairpinMode: 'promiscuous-bridge' | 'hairpin-veth' | 'none';
  /** --healthz-bind-address: Bind address of the healthz server. */
  readonly healthzBindAddress: string;
  /** --healthz-port: Localhost healthz port; 0 disables. */
  readonly healthzPort: number;
  /** --hostname-override: Identification used instead of the hostname (a cloud provider, if set, decides the name). */
  readonly hostnameOverride: string;
  /** --housekeeping-interval: Interval between container housekeepings. */
  readonly housekeepingIntervalMs: number;
  /** --http-check-frequency: Interval of polling HTTP for new data. */
  readonly httpCheckFrequencyMs: number;
  /** --image-credential-provider-bin-dir: Directory of credential provider plugin binaries. */
  readonly imageCredentialProviderBinDir: string;
  /** --image-credential-provider-config: Credential provider plugin config file. */
  readonly imageCredentialProviderConfig: string;
  /** --image-gc-high-threshold: Disk usage percent above which image GC always runs; range 0 to 100; 100 disables. */
  readonly imageGcHighThresholdPercent: number;
  /** --image-gc-low-threshold: Disk usage percent below which image GC never runs; 0 to 100, not above the high threshold. */
  readonly imageGcLowThresholdPercent: number;
  /** --image-pull-progress-deadline: Cancel a pull making no progress; only with legacyrt. */
  readonly imagePullProgressDeadlineMs: number;
  /** --image-service-endpoint: Remote image service endpoint (unix on Linux; npipe and tcp on Windows). */
  readonly imageServiceEndpoint: string;
  /** --iptables-drop-bit: fwmark bit for dropped packets, 0 to 31. */
  readonly iptablesDropBit: number;
  /** --iptables-masquerade-bit: fwmark bit for SNAT, 0 to 31; match the node network proxy. */
  readonly iptablesMasqueradeBit: number;
  /** --keep-terminated-pod-volumes: Keep volumes of terminated pods mounted (debugging). */
  readonly keepTerminatedPodVolumes: boolean;
  /** --kernel-memcg-notification: As the experimental variant. */
  readonly kernelMemcgNotification: boolean;
  /** --legacyrt: Endpoint of the engine. */
  readonly legacyrt: string;
  /** --legacyrt-endpoint: Endpoint of the legacyrt runtime; only with legacyrt. */
  readonly legacyrtEndpoint: string;
  /** --legacyrt-env-metadata-whitelist: Prefixes of variables of containers that are collected. */
  readonly legacyrtEnvMetadataWhitelist: string;
  /** --legacyrt-only: Report containers of the engine only. */
  readonly legacyrtOnly: boolean;
  /** --legacyrt-root: Folder of the engine. */
  readonly legacyrtRoot: string;
  /** --legacyrt-tls: Use TLS towards the engine. */
  readonly legacyrtTls: boolean;
  /** --legacyrt-tls-ca: File of the authority of the engine. */
  readonly legacyrtTlsCa: string;
  /** --legacyrt-tls-cert: File of the client certificate for the engine. */
  readonly legacyrtTlsCert: string;
  /** --legacyrt-tls-key: File of the private key for the engine. */
  readonly legacyrtTlsKey: string;
  /** --lock-file: Path of the lock file. */
  readonly lockFile: string;
  /** --log-backtrace-at: Emit a stack trace when logging reaches the given file:line. */
  readonly logBacktraceAt: string;
  /** --log-cadvisor-usage: Log what the monitor itself uses. */
  readonly logCadvisorUsage: boolean;
  /** --log-dir: Write log files in this directory. */
  readonly logDir: string;
  /** --log-file: Use this log file. */
  readonly logFile: string;
  /** --log-file-max-size: Max log file size in megabytes; 0 unlimited. */
  readonly logFileMaxSizeMegabytes: number;
  /** --log-flush-frequency: Max time between log flushes. */
  readonly logFlushFrequencyMs: number;
  /** --logtostderr: Log to standard error instead of files. */
  readonly logToStderr: boolean;
  /** --logging-format: Values text, json; non-default is alpha and ignores several log-file related flags (--add-dir-header, --alsologtostderr, --log-backtrace-at, --log-dir, --log-file, --log-file-max-size, --logtostderr, --skip_headers, --skip_log_headers, --stderrthreshold, --log-flush-frequency). */
  readonly loggingFormat: 'text' | 'json';
  /** --machine-id-file: Files that may hold the machine id, comma-separated. */
  readonly machineIdFile: string;
  /** --make-iptables-util-chains: Ensure utility iptables rules exist. */
  readonly makeIptablesUtilChains: boolean;
  /** --manifest-url: URL of additional pod specifications. */
  readonly manifestUrl: string;
  /** --manifest-url-header: Comma-separated name:value HTTP headers for --manifest-url; repeatable; same-name headers are added in given order. */
  readonly manifestUrlHeader: Readonly<Record<string, readonly string[]>>;
  /** --master-service-namespace: Namespace from which master services are injected into pods. */
  readonly masterServiceNamespace: string;
  /** --max-open-files: Open files allowed to the process. */
  readonly maxOpenFiles: number;
  /** --max-pods: Pods that can run on the node. */
  readonly maxPods: number;
  /** --maximum-dead-containers: Old container instances kept globally; negative disables. */
  readonly maximumDeadContainers: number;
  /** --maximum-dead-containers-per-container: Old instances kept per container. */
  readonly maximumDeadContainersPerContainer: number;
  /** --minimum-container-ttl-duration: Minimum age of a finished container before collection (for example 300ms, 10s, 2h45m). */
  readonly minimumContainerAgeMs: number;
  /** --minimum-image-ttl-duration: Minimum age of an unused image before collection. */
  readonly minimumImageAgeMs: number;
  /** --network-plugin: Network plugin name: cni, or orchnet for a bridge of the node agent's own; only with legacyrt. */
  readonly networkPlugin: string;
  /** --network-plugin-mtu: MTU for the plugin; 0 uses the default 1460; only with legacyrt. */
  readonly networkPluginMtuBytes: number;
  /** --node-ip: IP address of the node. */
  readonly nodeIps: readonly string[];
  /** --node-labels: Labels added at registration. Labels in the orch.io namespace must start with an allowed prefix (nodeagent.orch.io/, node.orch.io/) or be one of: beta.orch.io/arch, beta.orch.io/instance-type, beta.orch.io/os, failure-domain.beta.orch.io/region, failure-domain.beta.orch.io/zone, orch.io/arch, orch.io/hostname, orch.io/os, node.orch.io/instance-type, topology.orch.io/region, topology.orch.io/zone. */
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** Field nodeLeaseDurationSeconds: Seconds for which the node's lease is valid without renewal. */
  readonly nodeLeaseDurationSeconds: number;
  /** --node-status-max-images: Max images reported in node.status.images; -1 no cap. */
  readonly nodeStatusMaxImages: number;
  /** Field nodeStatusReportFrequency: How often node status is posted when nothing changes; nodeStatusUpdateFrequency when only that is in the file. */
  readonly nodeStatusReportFrequencyMs: number;
  /** --node-status-update-frequency: How often node status is posted; must work with the node controller's monitor grace period. */
  readonly nodeStatusUpdateFrequencyMs: number;
  /** --nodeagent-cgroups: Absolute cgroup name to run the agent in. */
  readonly nodeagentCgroups: string;
  /** --non-masquerade-cidr: Traffic outside this range is masqueraded; 0.0.0.0/0 never masquerades. */
  readonly nonMasqueradeCidr: string;
  /** --one-output: Write logs only at their native severity level. */
  readonly oneOutput: boolean;
  /** --oom-score-adj: Process oom-score-adj, range -1000 to 1000. */
  readonly oomScoreAdj: number;
  /** --orch-api-burst: Burst toward the API server. */
  readonly orchApiBurst: number;
  /** --orch-api-content-type: Content type of requests sent to the API server. */
  readonly orchApiContentType: string;
  /** --orch-api-qps: QPS toward the API server. */
  readonly orchApiQps: number;
  /** --orch-reserved: <resource>=<quantity> pairs reserved for platform components; cpu, memory, local ephemeral-storage supported. */
  readonly orchReserved: Readonly<Record<string, string>>;
  /** --orch-reserved-cgroup: Top-level cgroup for platform components with reserved resources. */
  readonly orchReservedCgroup: string;
  /** --orchconfig: Client configuration path; providing it enables API server mode; omitting it enables standalone mode. */
  readonly orchconfigPath: string;
  /** --pod-cidr: Pod IP range, standalone mode only; IPv6 allows at most 65536 addresses. */
  readonly podCidr: string;
  /** --pod-infra-container-image: Image not pruned by GC; with legacyrt all pod containers share its network and IPC namespaces. */
  readonly podInfraContainerImage: string;
  /** --pod-manifest-path: Directory of static pod files, or one file; dot-files ignored. */
  readonly podManifestPath: string;
  /** --pod-max-pids: Max processes per pod; -1 uses node allocatable PID capacity. */
  readonly podMaxPids: number;
  /** --pods-per-core: Pods per core, capped by --max-pods; 0 disables. */
  readonly podsPerCore: number;
  /** --port: Serving port. */
  readonly port: number;
  /** --protect-kernel-defaults: Error if kernel tunables differ from agent defaults. */
  readonly protectKernelDefaults: boolean;
  /** --provider-id: Unique node identifier in a machine database. */
  readonly providerId: string;
  /** --qos-reserved: <resource>=<percent> reservation at QoS level; only memory; needs gate QOSReserved. */
  readonly qosReserved: Readonly<Record<string, string>>;
  /** --read-only-port: Port served without authentication or authorization; 0 disables. */
  readonly readOnlyPort: number;
  /** --really-crash-for-testing: Crash on panic (testing). */
  readonly reallyCrashForTesting: boolean;
  /** --redirect-container-streaming: If true, HTTP-redirect streaming to the API server (faster, less secure); if false, proxy streaming data. */
  readonly redirectContainerStreaming: boolean;
  /** --register-node: Register with the API server; irrelevant without --orchconfig. */
  readonly registerNode: boolean;
  /** --register-schedulable: Register as schedulable; no effect if --register-node is false. */
  readonly registerSchedulable: boolean;
  /** --register-with-taints: Taints at registration (<key>=<value>:<effect>); no-op if --register-node false. */
  readonly registerWithTaints: readonly NodeTaint[];
  /** --registry-burst: Burst of pulls; used only if --registry-qps above 0. */
  readonly registryBurst: number;
  /** --registry-qps: Registry pulls per second; 0 unlimited. */
  readonly registryQps: number;
  /** --reserved-cpus: CPUs or ranges reserved for system and platform; overrides cpu counts in the reserved options. */
  readonly reservedCpus: string;
  /** --resolv-conf: Resolver file that is the basis of container DNS. */
  readonly resolvConf: string;
  /** --root-dir: Directory for agent files (volume mounts etc.). */
  readonly rootDir: string;
  /** --rotate-certificates: Rotate client certificates by requesting new ones near expiry. */
  readonly rotateCertificates: boolean;
  /** --rotate-server-certificates: Request and rotate serving certificates; needs gate RotateNodeAgentServerCertificate and approval of the submitted signing requests. */
  readonly rotateServerCertificates: boolean;
  /** --runonce: Exit after starting pods from local manifests or URLs; exclusive with --enable-server. */
  readonly runOnce: boolean;
  /** --runtime-cgroups: Absolute cgroup name in which to run the runtime. */
  readonly runtimeCgroups: string;
  /** --runtime-request-timeout: Timeout of runtime requests except pull, logs, exec, attach; on expiry the request is cancelled and retried later. */
  readonly runtimeRequestTimeoutMs: number;
  /** --seccomp-profile-root: Directory of seccomp profiles. */
  readonly seccompProfileRoot: string;
  /** --serialize-image-pulls: Pull images one at a time. */
  readonly serializeImagePulls: boolean;
  /** Field showHiddenMetricsForVersion: Shows metrics that were hidden in this version; only the previous minor version is allowed. */
  readonly showHiddenMetricsForVersion: string;
  /** Field shutdownGracePeriodCriticalPods: Part of shutdownGracePeriod that is kept for critical pods. */
  readonly shutdownGracePeriodCriticalPodsMs: number;
  /** Field shutdownGracePeriod: Time by which a shutdown of the node is delayed for its pods. */
  readonly shutdownGracePeriodMs: number;
  /** --skip-headers: Omit header prefixes in log messages. */
  readonly skipHeaders: boolean;
  /** --skip-log-headers: Omit headers when opening log files. */
  readonly skipLogHeaders: boolean;
  /** --stderrthreshold: Logs at or above go to stderr. */
  readonly stderrThreshold: number;
  /** --storage-driver-buffer-duration: How long figures are gathered before they are written. */
  readonly storageDriverBufferDurationMs: number;
  /** --storage-driver-db: Name of the database. */
  readonly storageDriverDb: string;
  /** --storage-driver-host: Host and port of the database. */
  readonly storageDriverHost: string;
  /** --storage-driver-password: Password for the database. */
  readonly storageDriverPassword: string;
  /** --storage-driver-secure: Use a secure connection to the database. */
  readonly storageDriverSecure: boolean;
  /** --storage-driver-table: Table of the database. */
  readonly storageDriverTable: string;
  /** --storage-driver-user: User of the database. */
  readonly storageDriverUser: string;
  /** --streaming-connection-idle-timeout: Idle time before closing a streaming connection; 0 no timeout. */
  readonly streamingConnectionIdleTimeoutMs: number;
  /** --sync-frequency: Max period between synchronizing containers and config. */
  readonly syncFrequencyMs: number;
  /** --system-cgroups: Cgroup into which non-kernel processes outside any cgroup are placed; empty means none; rolling back needs a reboot. */
  readonly systemCgroups: string;
  /** --system-reserved: <resource>=<quantity> reserved for non-platform components; only cpu and memory. */
  readonly systemReserved: Readonly<Record<string, string>>;
  /** --system-reserved-cgroup: Top-level cgroup for those components. */
  readonly systemReservedCgroup: string;
  /** --tls-cert-file: x509 certificate for HTTPS (intermediates appended); if this and the key file are absent, a self-signed pair is generated into --cert-dir. */
  readonly tlsCertFile: string;
  /** --tls-cipher-suites: Comma-separated cipher suites. */
  readonly tlsCipherSuites: readonly string[];
  /** --tls-min-version: VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13. */
  readonly tlsMinVersion: '' | 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
  /** --tls-private-key-file: Private key matching --tls-cert-file. */
  readonly tlsPrivateKeyFile: string;
  /** --topology-manager-policy: none, best-effort, restricted, single-numa-node. */
  readonly topologyManagerPolicy: 'none' | 'best-effort' | 'restricted' | 'single-numa-node';
  /** --topology-manager-scope: container or pod. */
  readonly topologyManagerScope: 'container' | 'pod';
  /** --v: Log verbosity number. */
  readonly verbosity: number;
  /** --version: Print version and quit. */
  readonly version: boolean | 'raw';
  /** --vmodule: Comma-separated pattern=N file-filtered logging. */
  readonly vmodule: string;
  /** --volume-plugin-dir: Directory of third-party volume plugins. */
  readonly volumePluginDir: string;
  /** --volume-stats-agg-period: Interval to compute volume disk usage; 0 disables. */
  readonly volumeStatsAggPeriodMs: number;
}
