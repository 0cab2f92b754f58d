import type { Pod, Secret } from '../../apis/types/core-v1.ts';
import type { Clock } from '../../base/index.ts';
import { buildContainerConfig, ContainerConfigError, type ContainerPlan } from '../container-config/index.ts';
import { containerFieldPath } from '../events/index.ts';
import { StartError } from '../images/index.ts';
import { type AgentObjects, gatherConfigSources } from '../objects/index.ts';
import { type Image, runtimeFailureDetail } from '../runtime/index.ts';
import { hashContainer } from '../sync/index.ts';
import type { MountedVolume } from '../volumes/index.ts';
import { groupsOf, type UsableSandbox } from './make-sandbox.ts';
import { type FoundContainer, filesOf, type LifecycleParts } from './parts.ts';
import { recordNotices } from './record-notices.ts';
import { stopContainer } from './stop-container.ts';
import { within } from './within.ts';

/** Length of the names of files for termination messages. */
const logNameLength = 8;
/** How long a container waits for the first list of services, whose addresses it is told. */
const servicesTimeoutMs = 5000;

export interface StartRequest extends FoundContainer {
  readonly pod: Pod;
  /** Instances that the container had before. */
  readonly attempt: number;
  readonly sandbox: UsableSandbox;
  readonly volumes: ReadonlyMap<string, MountedVolume>;
  /** Container whose processes it is to see, without an id when there is none such; most often left out. */
  readonly target?: { readonly name: string; readonly id: string | undefined } | undefined;
  /** Nothing is to be started any more: ends a pull or a hook that is under way, and leaves out what would come next. */
  readonly signal: AbortSignal;
  /** From the polite signal to the deadly one, should the container have to be ended again. */
  readonly graceMs: number;
}

/** Why a start came to nothing, as the status of the container shows it. */
export interface StartProblem {
  readonly reason: string;
  readonly message: string;
}

/** A start that failed; its event is recorded. */
class FailedStart extends Error {
  readonly problem: StartProblem;

  constructor(problem: StartProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/**
 * Gets the image, makes a container, starts it and runs its hook. Resolves with what went wrong, undefined when nothing
 * did. Every step and failure is recorded as an event.
 *
 * @throws the reason of the signal once that aborts, and nothing else
 */
export async function startContainer(
  request: StartRequest,
  parts: LifecycleParts,
): Promise<StartProblem | undefined> {
  const { signal } = request;
  try {
    const image = await findImage(request, parts);
    signal.throwIfAborted();
    const plan = await prepare(request, image, parts);
    signal.throwIfAborted();
    const id = await create(request, plan, parts);
    signal.throwIfAborted();
    await start(request, id, parts);
    await runPostStart(request, id, parts);
    return undefined;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof FailedStart) return error.problem;
    if (error instanceof StartError) return { reason: error.reason, message: error.message };
    parts.logger.error('a container could not be started', { error, container: request.container.name });
    return { reason: 'CreateContainerError', message: runtimeFailureDetail(error) };
  }
}

async function findImage(
  { pod, container, list, sandbox, signal }: StartRequest,
  parts: LifecycleParts,
): Promise<Image> {
  const pullSecrets = await findPullSecrets(pod, parts);
  const fieldPath = containerFieldPath(list, container.name);
  return parts.images.ensure({
    pod,
    container,
    fieldPath,
    sandboxConfig: sandbox.config,
    pullSecrets,
    signal,
  });
}

/** Those that exist: the pull says it when they are needed. */
async function findPullSecrets(
  { metadata, spec }: Pod,
  { objects, logger }: LifecycleParts,
): Promise<readonly Secret[]> {
  if (objects === undefined) return [];
  const found: Secret[] = [];
  for (const { name = '' } of spec.imagePullSecrets ?? []) {
    try {
      const secret = await objects.secret(metadata.namespace ?? '', name);
      if (secret !== undefined) found.push(secret);
    } catch (error) {
      logger.error('a secret for pulling images could not be read', { name, error });
    }
  }
  return found;
}

async function prepare(request: StartRequest, image: Image, parts: LifecycleParts): Promise<ContainerPlan> {
  const { pod, container } = request;
  try {
    const plan = await planContainer(request, image, parts);
    recordNotices(pod, plan.notices, parts.events);
    await parts.volumes.prepareSubPaths({
      podUid: pod.metadata.uid ?? '',
      containerName: container.name,
      subPaths: plan.subPaths,
    });
    await Promise.all(plan.files.map((file) => filesOf(parts).write(file)));
    return plan;
  } catch (error) {
    if (!(error instanceof ContainerConfigError)) parts.logger.error('no configuration', { error });
    throw fail(
      request,
      { reason: 'CreateContainerConfigError', message: runtimeFailureDetail(error) },
      parts,
    );
  }
}

async function planContainer(
  { pod, container, attempt, sandbox, volumes, target }: StartRequest,
  image: Image,
  parts: LifecycleParts,
): Promise<ContainerPlan> {
  if (target !== undefined && target.id === undefined) {
    throw new ContainerConfigError(`unable to find target container ${target.name}`);
  }
  const { objects, settings, surroundings, randomHex, clock, processors } = parts;
  const { hostIps, allocatable } = surroundings();
  if (objects !== undefined) await waitForServices(objects, clock);
  const sources = objects && (await gatherConfigSources(pod, container, objects));
  return buildContainerConfig({
    pod,
    container,
    specHash: hashContainer(container),
    attempt,
    image: image.id,
    imageUser: image,
    node: settings(),
    volumes,
    services: objects?.services() ?? [],
    sources,
    allocatable,
    terminationLogName: randomHex(logNameLength),
    nodeHostsFile: pod.spec.hostNetwork === true ? await filesOf(parts).readNodeHosts() : '',
    extraGroups: groupsOf(volumes),
    targetContainerId: target?.id,
    podIps: sandbox.ips,
    hostIps,
    cpusetCpus: await processors?.cpusFor(pod.metadata.uid ?? '', container.name),
  });
}

/** @throws ContainerConfigError when the API server has not told the services in time */
async function waitForServices({ whenServicesSynced }: AgentObjects, clock: Clock): Promise<void> {
  const message = 'services have not yet been read at least once, cannot construct envvars';
  const onLate = (): Error => new ContainerConfigError(message);
  await within(whenServicesSynced, { clock, timeoutMs: servicesTimeoutMs, onLate });
}

async function create(
  request: StartRequest,
  { config }: ContainerPlan,
  parts: LifecycleParts,
): Promise<string> {
  const { sandbox, container } = request;
  try {
    const options = { podSandboxId: sandbox.id, config, sandboxConfig: sandbox.config };
    const id = await parts.runtime.createContainer(options);
    if (config.resources?.cpusetCpus) parts.processors?.noteCreated(id, config.resources.cpusetCpus);
    record(request, parts, 'Created', `Created container ${container.name}`);
    return id;
  } catch (error) {
    throw fail(request, { reason: 'CreateContainerError', message: runtimeFailureDetail(error) }, parts);
  }
}

async function start(request: StartRequest, id: string, parts: LifecycleParts): Promise<void> {
  const { pod, container, attempt } = request;
  const owner = { pod, containerName: container.name, attempt, containerId: id };
  await filesOf(parts).linkLog(owner, parts.logger);
  try {
    await parts.runtime.startContainer(id);
  } catch (error) {
    throw fail(request, { reason: 'RunContainerError', message: runtimeFailureDetail(error) }, parts);
  }
  record(request, parts, 'Started', `Started container ${container.name}`);
}

async function runPostStart(request: StartRequest, id: string, parts: LifecycleParts): Promise<void> {
  const { pod, container, sandbox, graceMs, signal } = request;
  const podIp = sandbox.ips[0];
  const failure = await parts.hooks.postStart({ pod, container, containerId: id, podIp }, signal);
  if (failure === undefined) return;
  signal.throwIfAborted(); // whoever gave up ends it in another way
  const stop = { containerId: id, name: container.name, graceMs, message: 'FailedPostStartHook' };
  await stopContainer({ pod, stop, podIp }, parts).catch((error: unknown) => {
    parts.logger.error('a container could not be ended after its hook failed', { error });
  });
  throw new FailedStart(failure);
}

function record(
  { pod, container, list }: StartRequest,
  { events }: LifecycleParts,
  reason: string,
  message: string,
) {
  const about = { kind: 'pod', pod, fieldPath: containerFieldPath(list, container.name) } as const;
  events.record({ about, type: 'Normal', reason, message });
}

function fail(
  { pod, container, list }: StartRequest,
  problem: StartProblem,
  { events }: LifecycleParts,
): FailedStart {
  const about = { kind: 'pod', pod, fieldPath: containerFieldPath(list, container.name) } as const;
  events.record({ about, type: 'Warning', reason: 'Failed', message: `Error: ${problem.message}` });
  return new FailedStart(problem);
}
