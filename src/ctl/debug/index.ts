/**
 * `ctl debug`: looks at a pod or a node from a container that is added for that: in the running pod, in a copy of it, or in a pod
 * with all that the node has.
 */
import type { EphemeralContainers, Pod } from '../../apis/types/core-v1.ts';
import { errorText, randomNameSuffix } from '../../base/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { podPath } from '../pods/first-pod.ts';
import { isPod } from '../pods/pod.ts';
import { resolveOne } from '../pods/resolve-one.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import { defineVerb } from '../verb.ts';
import { checkCall } from './check-call.ts';
import { copyOf, type DebugPod, type DebugRequest, ephemeralContainer, nodePod } from './debug-objects.ts';
import { joinContainer } from './join-container.ts';
import { debugOptions } from './options.ts';

/** The verb. */
export const debugVerb = defineVerb({
  program: {
    name: 'ctl debug',
    summary: 'Look into pods and nodes from a container that is added for that',
    usage: '(POD | TYPE/NAME)... [flags] [-- WORD...]',
    description: [
      'A container in a running pod stays as long as the pod; servers offer that with the feature gate EphemeralContainers. A copy',
      'with --copy-to needs no gate, and may be changed. The pod for a node shares its processes, network and files (/host).',
    ],
    options: debugOptions,
    examples: [
      { command: 'ctl debug web-1 -it --image=busybox', does: 'work in a container that is added to a pod' },
      {
        command: 'ctl debug web-1 -it --copy-to=look --container=web -- sh',
        does: 'start a copy of a pod with a shell in place of its program',
      },
      { command: 'ctl debug node/one -it --image=busybox', does: 'work on a node' },
    ],
  },
  async run(ctl, call) {
    const { options, given, args, dashesAt = args.length } = call;
    const names = args.slice(0, dashesAt);
    const words = args.slice(dashesAt);
    checkCall(call, names, words);
    const request: DebugRequest = {
      options,
      words,
      changesSharing: given.has('shareProcesses'),
      suffix: randomNameSuffix,
    };
    const isAttached = given.has('attach') ? options.attach : options.stdin;
    for (const name of names) {
      const { pod, container } = await addDebugger(ctl, await resolveOne(ctl, name), request);
      if (isAttached && container !== undefined) await joinContainer(ctl, pod, container, options);
    }
  },
});

function addDebugger(ctl: Ctl, object: WireObject, request: DebugRequest): Promise<DebugPod> {
  if (object.kind === 'Node' && object.apiVersion === 'v1') return debugNode(ctl, object, request);
  if (!isPod(object)) {
    const [version = '', group = ''] = object.apiVersion.split('/').reverse();
    throw new CtlError(`"${group}/${version}, Kind=${object.kind}" not supported by debug`);
  }
  return request.options.copyTo ? debugCopy(ctl, object, request) : debugRunning(ctl, object, request);
}

async function debugNode(ctl: Ctl, { metadata }: WireObject, request: DebugRequest): Promise<DebugPod> {
  const { pod, container, name } = nodePod(metadata.name ?? '', request);
  say(ctl, request, `Creating debugging pod ${name} with container ${container} on node ${metadata.name}.`);
  const { namespace } = await ctl.context();
  return { pod: await createPod(ctl, pod, namespace), container };
}

async function debugCopy(ctl: Ctl, pod: Pod, request: DebugRequest): Promise<DebugPod> {
  const { pod: copy, container } = copyOf(pod, request);
  const isNamed = container === undefined || container === request.options.container;
  if (!isNamed) say(ctl, request, `Defaulting debug container name to ${container}.`);
  const { namespace = '', name } = pod.metadata;
  const created = await createPod(ctl, copy, namespace);
  if (request.options.replace) {
    const client = await ctl.client();
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
    await client.json({ method: 'DELETE', path: podPath(namespace, name), body, signal: ctl.io.signal });
  }
  return { pod: created, container };
}

async function debugRunning(ctl: Ctl, pod: Pod, request: DebugRequest): Promise<DebugPod> {
  const client = await ctl.client();
  const { namespace = '', name } = pod.metadata;
  const path = podPath(namespace, name, 'ephemeralcontainers');
  const { signal } = ctl.io;
  const known = await client
    .json<EphemeralContainers>({ method: 'GET', path, signal })
    .catch((error: unknown) => {
      if (!isReason(error, 'NotFound')) throw error;
      // The pod is there: it is the subresource that is not.
      throw new CtlError(
        `ephemeral containers are disabled for this cluster (error from server: ${JSON.stringify(errorText(error))}).`,
      );
    });
  const added = ephemeralContainer(pod, request);
  if (!request.options.container) say(ctl, request, `Defaulting debug container name to ${added.name}.`);
  const body = { ...known, ephemeralContainers: [...(known.ephemeralContainers ?? []), added] };
  try {
    await client.json({ method: 'PUT', path, body, signal });
  } catch (error) {
    throw new CtlError(`error updating ephemeral containers: ${errorText(error)}`, { cause: error });
  }
  return { pod, container: added.name };
}

async function createPod(ctl: Ctl, pod: Pod, namespace: string): Promise<Pod> {
  const client = await ctl.client();
  const path = podPath(namespace);
  const created: unknown = await client.json({ method: 'POST', path, body: pod, signal: ctl.io.signal });
  if (isWireObject(created) && isPod(created)) return created;
  throw new CtlError("the server's answer is no pod");
}

function say(ctl: Ctl, { options }: DebugRequest, text: string): void {
  if (!options.quiet) ctl.io.stdout.write(`${text}\n`);
}
