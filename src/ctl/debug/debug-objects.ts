import type { Container, EphemeralContainer, Pod } from '../../apis/types/core-v1.ts';
import type { ConfigOf } from '../../config/index.ts';
import { CtlError } from '../errors.ts';
import type { DebugOptions } from './options.ts';

/** What the flags and the words behind `--` say of the container to debug with. */
export interface DebugRequest {
  readonly options: ConfigOf<DebugOptions>;
  readonly words: readonly string[];
  /** Whether `--share-processes` was given. */
  readonly changesSharing: boolean;
  /** Ends a generated name. */
  readonly suffix: () => string;
}

/** A pod to create, and the container that is joined; none when only images were changed. */
export interface DebugPod {
  readonly pod: Pod;
  readonly container: string | undefined;
}

/** The container that is added to a running pod. */
export function ephemeralContainer(pod: Pod, request: DebugRequest): EphemeralContainer {
  const { options } = request;
  const { target = '' } = options;
  return {
    ...newContainer(options.container || freeName(pod, request.suffix), request),
    terminationMessagePolicy: 'File',
    ...(target !== '' && { targetContainerName: target }),
  };
}

/** A pod with all that a node has: its processes, network and files, these below `/host`. */
export function nodePod(node: string, request: DebugRequest): Required<DebugPod> & { readonly name: string } {
  const container = request.options.container || 'debugger';
  const name = `node-debugger-${node}-${request.suffix()}`;
  const pod: Pod = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name },
    spec: {
      containers: [
        {
          ...newContainer(container, request),
          terminationMessagePolicy: 'File',
          volumeMounts: [{ name: 'host-root', mountPath: '/host' }],
        },
      ],
      volumes: [{ name: 'host-root', hostPath: { path: '/' } }],
      hostIPC: true,
      hostNetwork: true,
      hostPID: true,
      nodeName: node,
      restartPolicy: 'Never',
    },
    status: {},
  };
  return { pod, container, name };
}

/**
 * A copy of a pod with a container more, or with one of its containers changed. Labels stay behind, so that nobody takes the copy
 * for the pod.
 *
 * @throws CtlError when a new container has no image
 */
export function copyOf(pod: Pod, request: DebugRequest): DebugPod {
  const { options } = request;
  const { copyTo = '', image = '', setImage } = options;
  const { annotations, namespace } = pod.metadata;
  const { ephemeralContainers: _, nodeName, ...kept } = pod.spec;
  const containers = (pod.spec.containers ?? []).map((container) => {
    const other = setImage[container.name] ?? setImage['*'] ?? '';
    return other === '' ? container : { ...container, image: other };
  });
  const withContainers = (changed: readonly Container[]): Pod => ({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: copyTo, ...(namespace && { namespace }), ...(annotations && { annotations }) },
    spec: {
      ...kept,
      ...(options.sameNode && nodeName && { nodeName }),
      ...(request.changesSharing && { shareProcessNamespace: options.shareProcesses }),
      containers: [...changed],
    },
    status: {},
  });
  const wanted = options.container ?? '';
  const known = containers.find(({ name }) => name === wanted);
  if (known === undefined && image === '') {
    if (Object.keys(setImage).length === 0) {
      throw new CtlError('you must specify image when creating new container');
    }
    return { pod: withContainers(containers), container: undefined };
  }
  if (known === undefined) {
    const added = newContainer(wanted || freeName(pod, request.suffix), request);
    return {
      pod: withContainers([...containers, { ...added, terminationMessagePolicy: 'File' }]),
      container: added.name,
    };
  }
  const changed = changedContainer(known, request);
  return {
    pod: withContainers(containers.map((container) => (container === known ? changed : container))),
    container: wanted,
  };
}

/** The container as the request has it; what that does not mention stays, but for a terminal. */
function changedContainer(known: Container, { options, words }: DebugRequest): Container {
  const { image = '', imagePullPolicy = '', env, argumentsOnly } = options;
  const { stdin: _stdin, tty: _tty, ...changed } = known;
  if (words.length > 0) {
    if (argumentsOnly) changed.args = [...words];
    else {
      changed.command = [...words];
      delete changed.args;
    }
  }
  if (Object.keys(env).length > 0) changed.env = variables(env);
  if (image !== '') changed.image = image;
  if (imagePullPolicy !== '') changed.imagePullPolicy = imagePullPolicy;
  return { ...changed, ...streamsOf(options) };
}

function newContainer(name: string, { options, words }: DebugRequest): Container {
  const { image, env, imagePullPolicy = '', argumentsOnly } = options;
  return {
    name,
    image: image ?? '',
    ...(words.length > 0 && { [argumentsOnly ? 'args' : 'command']: [...words] }),
    ...(Object.keys(env).length > 0 && { env: variables(env) }),
    ...(imagePullPolicy !== '' && { imagePullPolicy }),
    resources: {},
    ...streamsOf(options),
  };
}

const variables = (env: Readonly<Record<string, string>>) =>
  Object.entries(env).map(([name, value]) => ({ name, value }));

const streamsOf = ({ stdin, tty }: ConfigOf<DebugOptions>) => ({
  ...(stdin && { stdin: true }),
  ...(tty && { tty: true }),
});

/** A name that no container of the pod has. */
function freeName({ spec }: Pod, suffix: () => string): string {
  const taken = [spec.containers, spec.initContainers, spec.ephemeralContainers].flatMap((containers) =>
    (containers ?? []).map(({ name }) => name),
  );
  for (;;) {
    const name = `debugger-${suffix()}`;
    if (!taken.includes(name)) return name;
  }
}
