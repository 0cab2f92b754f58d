/**
 * `ctl cp`: copies files between this machine and a container, with the `tar` of the container's own.
 */
import { stat } from 'node:fs/promises';
import { basename, posix } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { podPath } from '../pods/first-pod.ts';
import { type RemoteCommand, runCommand } from '../remote/run-command.ts';
import { defineVerb } from '../verb.ts';
import { type FileSpec, parseFileSpec } from './file-spec.ts';

/** `ctl cp`. */
export const cpVerb = defineVerb({
  program: {
    name: 'ctl cp',
    summary: 'Copy files to and from containers',
    usage: '[[NAMESPACE/]POD:]PATH [[NAMESPACE/]POD:]PATH [flags]',
    description: [
      'One of both is a local file or folder, the other is in a container, which must have the program tar. Symbolic links of a container are not copied.',
    ],
    options: [
      {
        name: 'container',
        short: 'c',
        type: 'string',
        section: 'Selection',
        help: 'Container that is meant; by default the first one of the pod.',
      },
      {
        name: 'no-preserve',
        type: 'bool',
        section: 'Changes',
        help: 'Let files in the container have the owner and permissions of the user there, not those that they have here.',
      },
    ],
    examples: [
      { command: 'ctl cp ./app.conf web-1:/etc/app.conf', does: 'copy a file into a pod' },
      { command: 'ctl cp web-1:/var/log ./logs -c ruby', does: 'copy a folder from a container' },
    ],
  },
  async run(ctl, { options, args }) {
    const [from, to] = args;
    if (from === undefined || to === undefined) throw new CtlError('source and destination are required');
    const [source, destination] = [parseFileSpec(from), parseFileSpec(to)];
    if (source.pod !== '' && destination.pod !== '') {
      throw new CtlError('one of src or dest must be a local file specification');
    }
    if (source.pod === '' && destination.pod === '') {
      throw new CtlError('one of src or dest must be a remote file specification');
    }
    if (source.file === '' || destination.file === '') throw new CtlError('filepath can not be empty');
    const remote = source.pod === '' ? destination : source;
    if (remote === destination) await requireLocal(source.file);
    const place = await findPlace(ctl, remote, options.container ?? '');
    if (remote === source) return copyFromPod(ctl, place, { from: source.file, to: destination.file });
    const owner = options.noPreserve ? ['--no-same-permissions', '--no-same-owner'] : [];
    return copyToPod(ctl, place, { from: source.file, to: destination.file, tarFlags: owner });
  },
});

type Place = Pick<RemoteCommand, 'namespace' | 'pod' | 'container'>;

interface Copy {
  readonly from: string;
  readonly to: string;
}

async function requireLocal(path: string): Promise<void> {
  await stat(path).catch((cause: unknown) => {
    throw new CtlError(`${path} doesn't exist in local filesystem`, { cause });
  });
}

async function findPlace(ctl: Ctl, { pod, namespace: named }: FileSpec, wanted: string): Promise<Place> {
  const namespace = named || (await ctl.context()).namespace;
  const client = await ctl.client();
  const object = await client.json<Pod>({
    method: 'GET',
    path: podPath(namespace, pod),
    signal: ctl.io.signal,
  });
  const phase = object.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') {
    throw new CtlError(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  }
  const [first, ...others] = object.spec.containers ?? [];
  if (wanted === '' && others.length > 0) {
    ctl.io.stderr.write(`Defaulting container name to ${first?.name}.\n`);
  }
  return { namespace, pod, container: wanted || (first?.name ?? '') };
}

async function copyFromPod(ctl: Ctl, place: Place, { from, to }: Copy): Promise<void> {
  const { Extractor } = await import('./extract.ts');
  const extractor = new Extractor({ source: from, destination: to, warnings: ctl.io.stderr });
  await runCommand(ctl, {
    ...place,
    command: ['tar', 'cf', '-', from],
    onOutput(stream, bytes) {
      if (stream === 'stdout') extractor.push(bytes);
      else ctl.io.stderr.write(bytes);
    },
    consumer: extractor.finished,
  });
  extractor.end();
  await extractor.finished;
}

async function copyToPod(
  ctl: Ctl,
  place: Place,
  { from, to, tarFlags }: Copy & { readonly tarFlags: readonly string[] },
): Promise<void> {
  const asked = to.length > 1 ? to.replace(/\/$/, '') : to;
  const { packFiles } = await import('./pack.ts');
  const path = (await isFolder(ctl, place, asked)) ? posix.join(asked, basename(from)) : asked;
  await runCommand(ctl, {
    ...place,
    command: ['tar', ...tarFlags, '-xmf', '-', '-C', posix.dirname(path)],
    input: packFiles(from, posix.basename(path)),
    onOutput: (stream, bytes) => (stream === 'stdout' ? ctl.io.stdout : ctl.io.stderr).write(bytes),
  });
}

/** Whether there is such a folder in the container. That it cannot be found out is no failure yet. */
async function isFolder(ctl: Ctl, place: Place, path: string): Promise<boolean> {
  try {
    await runCommand(ctl, { ...place, command: ['test', '-d', path], onOutput: () => {} });
    return true;
  } catch {
    return false;
  }
}
