import { type Steps, type TurnQueue, takeSteps } from '../../base/index.ts';

/** Objects of fewer bytes are written in one go: none of the steps takes long, and a pause costs more than it gives. */
const largeBytes = 64 * 1024;

/** An object that is written: how large, and by whom. */
export interface PacedWrite {
  /** Of the body, or of what is stored. */
  readonly sizeBytes: number;
  /** Where the requests of the server wait for their turn; undefined for what needs none. */
  readonly turns: TurnQueue | undefined;
}

/**
 * Lets other requests go first between two steps of the write of a large object: each step takes up to some tens of
 * milliseconds for a body of a megabyte. Undefined when the next step may begin at once.
 */
export const restAfterStep = ({ sizeBytes, turns }: PacedWrite): Promise<void> | undefined =>
  sizeBytes < largeBytes ? undefined : turns?.take({ isAfterLongWork: true });

/** Takes one step after the other, and rests between them where the object is large; small ones need no promise. */
export function paceSteps<Result>(steps: Steps<Result>, write: PacedWrite): Result | Promise<Result> {
  return write.sizeBytes < largeBytes || write.turns === undefined
    ? takeSteps(steps)
    : takePatiently(steps, write);
}

/** Takes steps that are long whatever the size of the object. */
export const takeLongSteps = <Result>(
  steps: Steps<Result>,
  turns: TurnQueue | undefined,
): Result | Promise<Result> => paceSteps(steps, { sizeBytes: largeBytes, turns });

async function takePatiently<Result>(steps: Steps<Result>, write: PacedWrite): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await restAfterStep(write);
  }
}
