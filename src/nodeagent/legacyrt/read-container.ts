import type {
  Container,
  ContainerState,
  ContainerStatus,
  Mount,
  MountPropagation,
} from '../runtime/index.ts';
import { readCreatedAtMs, readLabels } from './container-labels.ts';
import { parseContainerName } from './container-names.ts';
import type { ContainerDetails, ContainerSummary, MountPoint } from './engine-types.ts';
import type { ShownImage } from './image-calls.ts';
import type { ReadMarks } from './read-sandbox.ts';
import { propagations } from './write-container.ts';

const states: Readonly<Record<string, ContainerState>> = {
  created: 'created',
  running: 'running',
  paused: 'running',
  restarting: 'running',
  removing: 'exited',
  exited: 'exited',
  dead: 'exited',
};

/** A container of a list; undefined for containers that this driver did not create. */
export function readContainerSummary(summary: ContainerSummary, marks: ReadMarks): Container | undefined {
  const name = summary.Names?.find((each) => !each.slice(1).includes('/')) ?? '';
  const metadata = parseContainerName(marks.prefix, name);
  if (metadata === undefined) return undefined;
  return {
    id: summary.Id,
    podSandboxId: summary.Labels?.[marks.ownLabels.sandboxId] ?? '',
    metadata,
    image: summary.Image,
    imageRef: summary.ImageID,
    state: states[summary.State] ?? 'unknown',
    createdAtMs: readCreatedAtMs(summary.Labels, marks.ownLabels, summary.Created * 1000),
    ...readLabels(summary.Labels, marks.ownLabels),
  };
}

/** An inspected container; undefined for containers that this driver did not create. */
export function readContainer(
  details: ContainerDetails,
  { marks, image }: { readonly marks: ReadMarks; readonly image: ShownImage },
): ContainerStatus | undefined {
  const metadata = parseContainerName(marks.prefix, details.Name);
  const { Labels, Image } = details.Config;
  if (metadata === undefined || Labels?.[marks.ownLabels.type] !== 'container') return undefined;
  const createdAtMs = readCreatedAtMs(Labels, marks.ownLabels, Date.parse(details.Created));
  return {
    id: details.Id,
    metadata,
    image: image.name ?? Image,
    imageRef: image.ref,
    createdAtMs,
    ...readLabels(Labels, marks.ownLabels),
    ...readLife(details, createdAtMs),
    message: details.State.Error,
    mounts: (details.Mounts ?? []).map(readMount),
    logPath: Labels[marks.ownLabels.logPath] ?? '',
  };
}

type Life = Pick<ContainerStatus, 'state' | 'startedAtMs' | 'finishedAtMs' | 'exitCode' | 'reason'>;

function readLife({ State }: ContainerDetails, createdAtMs: number): Life {
  const state = states[State.Status] ?? 'unknown';
  const startedAtMs = readTime(State.StartedAt);
  if (state === 'running') return { state, startedAtMs, finishedAtMs: undefined, exitCode: 0, reason: '' };
  const finishedAtMs = readTime(State.FinishedAt);
  if (finishedAtMs !== undefined) {
    return { state: 'exited', startedAtMs, finishedAtMs, exitCode: State.ExitCode, reason: reasonOf(State) };
  }
  if (State.ExitCode !== 0) {
    // It never ran: the engine leaves it in state `created`, with an exit code.
    const reason = 'ContainerCannotRun';
    return {
      state: 'exited',
      startedAtMs: createdAtMs,
      finishedAtMs: createdAtMs,
      exitCode: State.ExitCode,
      reason,
    };
  }
  return { state, startedAtMs, finishedAtMs: undefined, exitCode: 0, reason: '' };
}

function reasonOf({ OOMKilled, ExitCode }: ContainerDetails['State']): string {
  if (OOMKilled) return 'OOMKilled';
  return ExitCode === 0 ? 'Completed' : 'Error';
}

/** The engine writes the year 1 for times that have not come. */
function readTime(text: string): number | undefined {
  const ms = Date.parse(text);
  return ms > 0 ? ms : undefined;
}

function readMount({ Source, Destination, Mode, RW, Propagation }: MountPoint): Mount {
  // Keys of an object literal are what its type says.
  const names = Object.keys(propagations) as MountPropagation[];
  return {
    containerPath: Destination,
    hostPath: Source,
    isReadOnly: !RW,
    relabelsSelinux: /(?:^|,)[zZ](?:,|$)/.test(Mode),
    propagation:
      names.find((name) => propagations[name].endsWith(Propagation.replace(/^r/, ''))) ?? 'private',
  };
}
