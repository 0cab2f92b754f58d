import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import { kindsOfGates } from '../apis/csi-migration/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import { createRestClient, type LocalCollections, type RestClient } from '../client/rest/index.ts';
import type { WorkQueueMetrics } from '../client/work-queue/index.ts';
import { OptionsError } from '../config/index.ts';
import {
  effectiveFeatureGates,
  etcdServers,
  isControllerEnabled,
  type ServeConfig,
  unknownControllers,
} from '../config/serve/index.ts';
import type { CertificateIssuer, PublishedAuthority, SecretTokenOptions } from '../controllers/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isSchedulerEnabled, runScheduler, schedulerName } from './run-scheduler.ts';

/** Work that one server of a store does for all. It runs until the signal aborts and never rejects. */
export type SharedTask = (signal: AbortSignal) => Promise<void>;

export interface RunControllersOptions {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Opens a connection to the server that the controllers work for. */
  readonly connect: () => Duplex;
  /** What that server stores. */
  readonly collections: LocalCollections;
  /** Bearer token of a user who may do everything. */
  readonly token: string;
  /** The authorities that `root-ca-cert-publisher` makes known. */
  readonly authority: PublishedAuthority;
  /** Signs requests for certificates. */
  readonly certificates: CertificateIssuer;
  /** Signs tokens of service accounts that secrets keep. */
  readonly signSecretToken: SecretTokenOptions['sign'];
  /** Counts what goes through the queues of a controller. */
  readonly queueMetrics: (controller: string) => WorkQueueMetrics;
  /** Runs beside the controllers, wherever they run. */
  readonly tasks: readonly SharedTask[];
}

/** @throws OptionsError for names that no controller has. */
export async function checkControllerNames(list: readonly string[]): Promise<void> {
  const { controllerNames } = await import('../controllers/index.ts');
  const names = [...controllerNames, schedulerName];
  const unknown = unknownControllers(list, names);
  if (unknown.length === 0) return;
  const known = names.join(', ');
  throw new OptionsError(unknown.map((name) => `--controllers: ${name} is not one of ${known}`));
}

/**
 * Starts the controllers of `--controllers` against the server itself, and the tasks; where several servers share a
 * store, in one of them at a time. The returned function ends them, so that another server may begin at once.
 */
export async function runControllers(options: RunControllersOptions): Promise<() => Promise<void>> {
  const { config } = options;
  const ending = new AbortController();
  const work: SharedTask = async (signal) => {
    await Promise.all([
      workControllers(options, signal),
      placePods(options, signal),
      ...options.tasks.map((task) => task(signal)),
    ]);
  };
  const isShared = etcdServers(config) !== undefined && config.leaderElect;
  const ended = isShared ? elect(options, work, ending.signal) : work(ending.signal);
  return async () => {
    ending.abort();
    await ended;
  };
}

/** Runs the scheduler, when it is enabled, until the signal aborts. */
async function placePods(options: RunControllersOptions, signal: AbortSignal): Promise<void> {
  if (!isSchedulerEnabled(options.config)) return;
  await runScheduler({ ...options, connect: () => connectLoopback(options, 'orch-scheduler') }, signal);
}

/** Runs the enabled controllers until the signal aborts, unless the reference's controller manager runs its own. */
async function workControllers(options: RunControllersOptions, signal: AbortSignal): Promise<void> {
  const { config, dialect, logger, clock } = options;
  const { controllerNames, controllersOffByDefault, startControllers, workWhileAlone } = await import(
    '../controllers/index.ts'
  );
  const gates = effectiveFeatureGates(config.featureGates);
  const byName = new Map(Object.entries(gates));
  const isEnabled = (name: string): boolean =>
    isControllerEnabled(config.controllers, name, { onByDefault: !controllersOffByDefault.has(name) }) &&
    (name !== 'garbagecollector' || config.enableGarbageCollector) &&
    (name !== 'disruption' || gates.PodDisruptionBudget) &&
    (name !== 'ephemeral-volume' || gates.GenericEphemeralVolume) &&
    (name !== 'root-ca-cert-publisher' || gates.RootCAConfigMap) &&
    (name !== 'ttl-after-finished' || gates.TTLAfterFinished);
  if (signal.aborted || !controllerNames.some(isEnabled)) return;
  const client = connectLoopback(options);
  await workWhileAlone({
    client,
    dialect,
    clock,
    logger,
    random: Math.random,
    signal,
    work: (term) =>
      startControllers({
        client,
        dialect,
        enabled: isEnabled,
        settings: config,
        migratedKinds: kindsOfGates((gate) => byName.get(gate) === true),
        logger,
        clock,
        signal: term,
        authority: options.authority,
        certificates: options.certificates,
        signSecretToken: options.signSecretToken,
        queueMetrics: options.queueMetrics,
      }).ended,
  });
  client.close();
}

/** Works whenever this server is the one of its store that may. */
async function elect(options: RunControllersOptions, lead: SharedTask, signal: AbortSignal): Promise<void> {
  const { config, dialect, logger, clock } = options;
  const { electLeader } = await import('../controllers/index.ts');
  // Controllers take many connections: the signs of life must never wait for one of them.
  const client = connectLoopback(options);
  await electLeader({
    client,
    dialect,
    name: dialect.spell('orch-controllers'),
    identity: `${hostname()}_${randomUUID()}`,
    leaseDurationMs: config.leaderElectLeaseDurationMs,
    renewDeadlineMs: config.leaderElectRenewDeadlineMs,
    retryPeriodMs: config.leaderElectRetryPeriodMs,
    clock,
    random: Math.random,
    logger,
    signal,
    lead,
  });
  client.close();
}

function connectLoopback(
  { dialect, connect, collections, token, clock }: RunControllersOptions,
  program = 'orch-controller-manager',
): RestClient {
  return createRestClient({
    // The name stands in messages only: every connection leads to this process.
    connection: { server: 'http://localhost', tls: {}, auth: { token } },
    connect,
    local: collections,
    userAgent: dialect.spell(program),
    clock,
  });
}
