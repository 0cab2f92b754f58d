import type { ConfigKeys, ConfigOf, KeySet, OptionSpec } from '../../config/index.ts';
import { configKey } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import type { WireObject } from '../resource/api-object.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';

/** A command line after parsing, as `--record` keeps it. */
export interface RecordedLine<S extends readonly OptionSpec[]> {
  /** With the program: `ctl scale`. */
  readonly command: string;
  readonly specs: S;
  readonly options: ConfigOf<S>;
  readonly given: KeySet<ConfigKeys<S>>;
  readonly args: readonly string[];
}

/** Flags whose values everybody who may read the object must not see. */
const secretFlags = new Set(['token', 'password']);

/** The command line in one form, `ctl scale deployment/web --replicas=3 --record=true`, without secrets. */
export function describeCause<S extends readonly OptionSpec[]>(line: RecordedLine<S>): string {
  const { specs, options, given, command, args } = line;
  const values = new Map<string, unknown>(Object.entries(options));
  const keys: { has(key: string): boolean } = given;
  const flags = specs
    // How names are spelt says nothing of what was done.
    .filter((spec) => spec.name !== 'dialect' && keys.has(configKey(spec)))
    .map((spec) => {
      const value = secretFlags.has(spec.name) ? 'CLASSIFIED' : String(values.get(configKey(spec)));
      return `--${spec.name}=${value}`;
    });
  return [command, ...args, ...flags].join(' ');
}

/** The object with what the command line was, when `--record` asks for it. */
export function withChangeCause<T extends WireObject>(ctl: Ctl, object: T): T {
  if (ctl.changeCause === undefined) return object;
  const annotations = { ...object.metadata.annotations, [causeAnnotation(ctl)]: ctl.changeCause };
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
    body: { metadata: { annotations: { [causeAnnotation(ctl)]: ctl.changeCause } } },
    signal: ctl.io.signal,
  });
}

function causeAnnotation({ dialect }: Ctl): string {
  return dialect.label('change-cause');
}
