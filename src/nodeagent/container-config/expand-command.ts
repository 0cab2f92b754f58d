import type { Container } from '../../apis/types/core-v1.ts';
import type { EnvironmentVariable } from '../runtime/index.ts';
import { expandVariables, maxExpandedLength, referenceValue } from './expand-variables.ts';

/** What a container runs. */
export interface ExpandedCommand {
  readonly command: readonly string[];
  readonly args: readonly string[];
}

/**
 * Command and arguments of a container with `$(NAME)` replaced from its environment.
 *
 * @throws ContainerConfigError when they get too long.
 */
export function expandCommand(
  { command = [], args = [] }: Pick<Container, 'command' | 'args'>,
  environment: readonly EnvironmentVariable[],
): ExpandedCommand {
  const values = new Map(environment.map(({ name, value }) => [name, value]));
  const resolve = (name: string): string => referenceValue(name, values.get(name));
  let left = maxExpandedLength;
  const expand = (text: string): string => {
    const expanded = expandVariables(text, resolve, left);
    left -= expanded.length;
    return expanded;
  };
  return { command: command.map(expand), args: args.map(expand) };
}
