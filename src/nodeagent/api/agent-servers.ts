import type { Clock, Logger } from '../../base/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';
import type { ImageService, RuntimeService } from '../runtime/index.ts';
import type { SubmittedPods } from '../sources/index.ts';
import type { AgentView, VolumeUsageSource } from './agent-view.ts';
import type { AgentMetrics } from './metrics/agent-metrics.ts';

/** A certificate with its chain, and its key, both PEM. */
export interface ServingPair {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** A serving certificate that is obtained and renewed elsewhere. */
export interface ServingPairSource {
  /** Undefined while there is none: connections are refused until then. */
  current(): ServingPair | undefined;
  /** Calls `listener` when there is another one; the returned function ends that. */
  onChange(listener: () => void): () => void;
}

/** What the servers need. */
export interface AgentServersOptions {
  readonly config: AgentConfig;
  readonly nodeName: string;
  readonly dialect: Dialect;
  readonly view: AgentView;
  readonly runtime: RuntimeService;
  readonly images: Pick<ImageService, 'imageFsInfo'>;
  readonly metrics: AgentMetrics;
  /** The effective configuration, as `/configz` shows it. */
  readonly configz: () => unknown;
  /** Reviews tokens and accesses; needed for the webhook modes only. Undefined: there is no API server. */
  readonly client: RestClient | undefined;
  /** `/manifests` is served when given. */
  readonly submitted: SubmittedPods | undefined;
  readonly volumes: VolumeUsageSource | undefined;
  /** In place of the files of the configuration, when serving certificates rotate. */
  readonly certificates: ServingPairSource | undefined;
  /** Sets how much is logged (`PUT /debug/flags/v`). */
  readonly setVerbosity: (level: number) => void;
  /** Throws when log lines cannot be written. */
  readonly checkLog: () => void;
  /** Program and arguments as they were started, for `/debug/pprof/cmdline`. */
  readonly commandLine: readonly string[];
  /** Where `/logs/` leads; `/var/log` when left out. */
  readonly logsDirectory?: string | undefined;
  /** Put before `/proc` and `/sys`, for agents that see the machine elsewhere, and for tests. */
  readonly hostRoot?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The servers that run. Disposing closes them and every connection. */
export interface AgentServers extends AsyncDisposable {
  /** Port that each listens on; undefined when it is off. Port 0 of the configuration turns a server off. */
  readonly securePort: number | undefined;
  readonly readOnlyPort: number | undefined;
  readonly healthzPort: number | undefined;
}
