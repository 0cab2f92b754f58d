import type { MigratedKind } from '../apis/csi-migration/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { RestClient } from '../client/rest/index.ts';
import type { WorkQueueMetrics } from '../client/work-queue/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { attachDetachController } from './attach-detach/attach-detach-controller.ts';
import { tokenCleaningController } from './bootstrap/clean-tokens.ts';
import { bootstrapSigningController } from './bootstrap/sign-cluster-info.ts';
import { certificateApprovingController } from './certificates/approve.ts';
import { certificateCleaningController } from './certificates/clean.ts';
import type { CertificateIssuer } from './certificates/requests.ts';
import { certificateSigningController } from './certificates/sign.ts';
import { clusterRoleAggregationController } from './cluster-role-aggregation.ts';
import type { Controller, ControllerSettings, PublishedAuthority } from './controller.ts';
import { cronJobController } from './cron-job/cron-job-controller.ts';
import { daemonSetController } from './daemon-set/daemon-set-controller.ts';
import { rootCertificateController, serviceAccountController } from './default-objects.ts';
import { deploymentController } from './deployment/deployment-controller.ts';
import { createDiscoveryReader } from './discovery-reader.ts';
import { disruptionController } from './disruption/disruption-controller.ts';
import { endpointMirroringController } from './endpoint-mirroring/endpoint-mirroring-controller.ts';
import { endpointSlicesController } from './endpoint-slices/endpoint-slices-controller.ts';
import { endpointsController } from './endpoints/endpoints-controller.ts';
import { ephemeralVolumesController } from './ephemeral-volumes/ephemeral-volumes-controller.ts';
import { garbageCollectorController } from './garbage-collector/garbage-collector-controller.ts';
import { jobController } from './job/job-controller.ts';
import { namespaceController } from './namespace/namespace-controller.ts';
import { nodeLifecycleController } from './node-lifecycle/node-lifecycle-controller.ts';
import { nodeTtlController } from './node-ttl/node-ttl-controller.ts';
import { podAutoscalerController } from './pod-autoscaler/pod-autoscaler-controller.ts';
import { podGarbageController } from './pod-gc/pod-gc-controller.ts';
import {
  replicaSetController,
  replicationControllerController,
} from './replica-set/replica-set-controller.ts';
import { resourceQuotaController } from './resource-quota/resource-quota-controller.ts';
import {
  type SecretTokenOptions,
  serviceAccountTokenController,
} from './service-account-tokens/token-controller.ts';
import { SharedInformers } from './shared-informers.ts';
import { statefulSetController } from './stateful-set/stateful-set-controller.ts';
import { ttlAfterFinishedController } from './ttl-after-finished/ttl-controller.ts';
import { volumeBinderController } from './volume-binder/volume-binder-controller.ts';
import { volumeExpanderController } from './volume-expander.ts';
import {
  claimProtectionController,
  volumeProtectionController,
} from './volume-protection/volume-protection-controller.ts';

export interface ControllersOptions {
  /** Must allow as many requests at once as there are resources, since each is watched. */
  readonly client: RestClient;
  readonly dialect: Dialect;
  readonly enabled: (name: string) => boolean;
  readonly settings: ControllerSettings;
  /** Built-in kinds of volumes that gates leave to drivers; default none. */
  readonly migratedKinds?: readonly MigratedKind[] | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Ends the controllers. */
  readonly signal: AbortSignal;
  /** For `root-ca-cert-publisher`, which does not run without. */
  readonly authority?: PublishedAuthority | undefined;
  /** Signs tokens for secrets, for `serviceaccount-token`, which does not run without. */
  readonly signSecretToken?: SecretTokenOptions['sign'] | undefined;
  /** Who signs requests for certificates; without one they are neither approved nor signed. */
  readonly certificates?: CertificateIssuer | undefined;
  /** Of the queues of a controller, by its name. */
  readonly queueMetrics?: ((controller: string) => WorkQueueMetrics) | undefined;
  /** From 0 to 1; for jitter. */
  readonly random?: (() => number) | undefined;
}

/** Controllers at work. */
export interface RunningControllers {
  /** Names of those that run. */
  readonly names: readonly string[];
  /** Resolves when all have ended after the signal. Never rejects. */
  readonly ended: Promise<void>;
}

/** Those of them that run only when they are named, as in release 1.20. */
export const controllersOffByDefault: ReadonlySet<string> = new Set(['bootstrapsigner', 'tokencleaner']);

/** Names that `--controllers` may list. */
export const controllerNames: readonly string[] = [
  'namespace',
  'garbagecollector',
  'serviceaccount',
  'serviceaccount-token',
  'root-ca-cert-publisher',
  'clusterrole-aggregation',
  'resourcequota',
  'cronjob',
  'daemonset',
  'deployment',
  'disruption',
  'endpoint',
  'endpointslice',
  'endpointslicemirroring',
  'ephemeral-volume',
  'horizontalpodautoscaling',
  'job',
  'nodelifecycle',
  'ttl',
  'attachdetach',
  'persistentvolume-binder',
  'persistentvolume-expander',
  'podgc',
  'pv-protection',
  'pvc-protection',
  'replicaset',
  'replicationcontroller',
  'statefulset',
  'ttl-after-finished',
  'csrapproving',
  'csrsigning',
  'csrcleaner',
  'bootstrapsigner',
  'tokencleaner',
];

/**
 * Starts the enabled controllers over the API. They run until the signal aborts; a server that does not answer makes
 * them wait, not end.
 */
export function startControllers(options: ControllersOptions): RunningControllers {
  const { client, dialect, enabled, settings, logger, clock, signal, random = Math.random } = options;
  const discovery = createDiscoveryReader({
    client,
    clock,
    signal,
    aggregatedGroup: dialect.group('apidiscovery'),
  });
  const informers = new SharedInformers({ client, clock, random, signal, logger }, dialect);
  const controllers = allControllers(options).filter(({ name }) => enabled(name));
  const runs = controllers.map(async (controller) => {
    const own = logger.child({ controller: controller.name });
    try {
      await controller.run({
        client,
        discovery,
        informers,
        settings,
        migratedKinds: options.migratedKinds ?? [],
        dialect,
        logger: own,
        queueMetrics: options.queueMetrics?.(controller.name),
        clock,
        random,
        signal,
      });
    } catch (error) {
      if (!signal.aborted) own.error('controller ended', { error });
    }
  });
  return {
    names: controllers.map(({ name }) => name),
    ended: Promise.all(runs).then(() => informers.ended()),
  };
}

function allControllers({
  authority,
  certificates,
  signSecretToken: sign,
}: ControllersOptions): Controller[] {
  return [
    namespaceController,
    garbageCollectorController,
    serviceAccountController,
    clusterRoleAggregationController,
    resourceQuotaController,
    cronJobController,
    daemonSetController,
    deploymentController,
    disruptionController,
    endpointsController,
    endpointMirroringController,
    endpointSlicesController,
    ephemeralVolumesController,
    jobController,
    nodeLifecycleController,
    podAutoscalerController,
    nodeTtlController,
    podGarbageController,
    attachDetachController,
    claimProtectionController,
    volumeBinderController,
    volumeExpanderController,
    volumeProtectionController,
    replicaSetController,
    replicationControllerController,
    statefulSetController,
    ttlAfterFinishedController,
    bootstrapSigningController,
    tokenCleaningController,
    ...(sign === undefined ? [] : [serviceAccountTokenController({ sign, authority })]),
    ...(certificates === undefined
      ? []
      : [
          certificateApprovingController(certificates),
          certificateSigningController(certificates),
          certificateCleaningController(certificates),
        ]),
    ...(authority === undefined ? [] : [rootCertificateController(authority)]),
  ];
}
