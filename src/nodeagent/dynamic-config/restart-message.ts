import type { Dialect } from '../../machinery/dialect.ts';
import { type ConfigSource, sourcePath } from './config-source.ts';

/** Reason of the event with which an agent makes room for one with another configuration. */
export const restartReason = (dialect: Dialect): string => dialect.spell('NodeAgentConfigChanged');

/** Its message, in release 1.20's words. Undefined: local configuration. */
export function restartMessage(source: ConfigSource | undefined, dialect: Dialect): string {
  const program = dialect.spell('NodeAgent');
  if (source === undefined) return `${program} restarting to use local config`;
  const { uid, resourceVersion, key } = source;
  return `${program} restarting to use ${sourcePath(source)}, UID: ${uid}, ResourceVersion: ${resourceVersion}, ${program}ConfigKey: ${key}`;
}
