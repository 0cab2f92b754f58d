import type { TypedFlag } from '../../config/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { Ctl } from '../ctl.ts';
import type { WireObject } from '../resource/api-object.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';

/** A command line after parsing, as `--record` keeps it. */
export interface RecordedLine {
  /** With the program: `ctl scale`. */
  readonly command: string;
  readonly typed: readonly TypedFlag[];
  readonly args: readonly string[];
}

/** Flags whose values everybody who may read the object must not see. */
const secretFlags = new Set(['token', 'password']);

/**
 * The command line in one form, `ctl scale deployment/web --replicas=3 --record=true`: flags behind arguments, as they were
 * typed, but for secrets.
 */
export function describeCause({ command, typed, args }: RecordedLine, dialect: Dialect): string {
  const flags = typed
    // How names are spelt says nothing of what was done.
    .filter(({ name }) => name !== 'dialect')
    .map(({ name, text }) => `--${dialect.spell(name)}=${secretFlags.has(name) ? 'CLASSIFIED' : text}`);
  return [command, ...args, ...flags].join(' ');
}

/** The annotation that says what the command line was; none unless `--record` asks for it. */
export function changeCauseOf(ctl: Ctl): Readonly<Record<string, string>> {
  return ctl.changeCause === undefined ? {} : { [causeAnnotation(ctl)]: ctl.changeCause };
}

/** The object with what the command line was, when `--record` asks for it. */
export function withChangeCause<T extends WireObject>(ctl: Ctl, object: T): T {
  if (ctl.changeCause === undefined) return object;
  const annotations = { ...object.metadata.annotations, ...changeCauseOf(ctl) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Writes to a live object what the command line was, when `--record` asks for it; returns the object then. */
export async function recordChange(
  ctl: Ctl,
  target: Pick<LiveTarget, 'resource' | 'namespace' | 'name'>,
  query: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (ctl.changeCause === undefined) return undefined;
  const client = await ctl.client();
  return client.json({
    method: 'PATCH',
    path: targetPath(target),
    contentType: 'application/merge-patch+json',
    query,
    body: { metadata: { annotations: changeCauseOf(ctl) } },
    signal: ctl.io.signal,
  });
}

function causeAnnotation({ dialect }: Ctl): string {
  return dialect.label('change-cause');
}
