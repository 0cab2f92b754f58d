import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';
import { HistoryEndError, readPast } from '../resource/read-past.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';

/** A version of an object and the one before it. */
export interface VersionStep {
  readonly object: WireObject;
  /** `created`: there was none; `forgotten`: the server no longer has it. */
  readonly previous: WireObject | 'created' | 'forgotten';
}

/** The versions of a live object, the newest first, each read when it is asked for. @throws CtlError, StatusError */
export async function* readVersions(ctl: Ctl, live: LiveTarget): AsyncGenerator<VersionStep> {
  let object = live.object;
  for (;;) {
    const previous = await readBefore(ctl, live, object);
    yield { object, previous };
    if (typeof previous === 'string') return;
    object = previous;
  }
}

/** Versions of all objects are numbers in one order, and one object is what it was until its next. */
async function readBefore(ctl: Ctl, live: LiveTarget, object: WireObject): Promise<VersionStep['previous']> {
  const version = versionOf(object);
  try {
    const previous = await readPast(ctl, live, String(version - 1n));
    if (previous === undefined) return 'created';
    if (versionOf(previous) < version) return previous;
  } catch (error) {
    if (error instanceof HistoryEndError) return 'forgotten';
    throw error;
  }
  throw new CtlError('the server cannot read earlier versions of objects');
}

function versionOf({ metadata }: WireObject): bigint {
  const { resourceVersion = '' } = metadata;
  if (/^[1-9]\d*$/.test(resourceVersion)) return BigInt(resourceVersion);
  throw new CtlError('the server counts versions in a way of its own, of which no history can be read');
}
