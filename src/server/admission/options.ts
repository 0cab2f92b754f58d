import type { UserInfo } from '../../apis/kind-rules.ts';
import type { LimitedResource } from '../../apis/quota/index.ts';
import type { ResourceQuota } from '../../apis/types/core-v1.ts';
import type { Clock } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AdmissionPlugin } from './plugin.ts';
import type { EventLimit, TolerationLists } from './plugin-configurations.ts';
import type { AdmissionReader } from './reader.ts';

/** A permission that a plugin asks about. `name` is the object that it is about. */
export interface PermissionQuestion {
  readonly user: UserInfo;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

/** What the server tells its plugins. */
export interface AdmissionOptions {
  /** `--default-not-ready-toleration-seconds`; default 300. */
  readonly notReadyTolerationSeconds?: number | undefined;
  /** `--default-unreachable-toleration-seconds`; default 300. */
  readonly unreachableTolerationSeconds?: number | undefined;
  /** Asks the authorizer. When left out everything is allowed, which is right only without authorization. */
  readonly isAllowed?: ((question: PermissionQuestion) => Promise<boolean> | boolean) | undefined;
  /** Makes a namespace, for NamespaceAutoProvision; one that exists by then is fine. */
  readonly createNamespace?: ((name: string) => Promise<void>) | undefined;
  /**
   * Writes a quota's status, for ResourceQuota; nothing is charged when left out. @throws StatusError Conflict when the stored
   * quota has another resource version by now, NotFound when it is gone.
   */
  readonly updateQuotaStatus?: ((quota: ResourceQuota) => Promise<void>) | undefined;
  /** For ResourceQuota: what may be used only where a quota bounds it. */
  readonly limitedResources?: readonly LimitedResource[] | undefined;
  /** For EventRateLimit, which must have some. */
  readonly eventLimits?: readonly EventLimit[] | undefined;
  /** For PodTolerationRestriction. */
  readonly tolerationLists?: TolerationLists | undefined;
  /** For PodNodeSelector: as its configuration has them, by namespace. */
  readonly nodeSelectors?: ReadonlyMap<string, string> | undefined;
  /** For waiting; the machine's when left out. */
  readonly clock?: Clock | undefined;
  /** Plugins that are made elsewhere, because they need more than a reader. They win over those of this folder. */
  readonly more?: readonly AdmissionPlugin[] | undefined;
}

/** What a plugin is made from. */
export interface PluginSources {
  readonly dialect: Dialect;
  readonly read: AdmissionReader;
  readonly options: AdmissionOptions;
  /** Enabled feature gates. */
  readonly gates: ReadonlySet<string>;
}
