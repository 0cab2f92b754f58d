import type { OptionSpec } from '../../config/index.ts';

const streams = 'Streams';
const pullPolicies = ['Always', 'IfNotPresent', 'Never'] as const;

/** `--image-pull-policy` of commands that make a container. */
export const pullPolicyOption = <const S extends string>(section: S) =>
  ({
    name: 'image-pull-policy',
    type: 'string',
    suggested: [...pullPolicies],
    section,
    help: 'When the image is pulled: Always, IfNotPresent or Never; by default the server decides.',
  }) as const satisfies OptionSpec;

/** Whether there is such a policy; none given is for the server to fill in. */
export function isPullPolicy(policy: string): boolean {
  return policy === '' || pullPolicies.some((known) => known === policy);
}

/** Flags of commands that may stay with the container that they make. */
export const joinOptions = [
  { name: 'stdin', short: 'i', type: 'bool', section: streams, help: 'Keep the standard input open.' },
  { name: 'tty', short: 't', type: 'bool', section: streams, help: 'Give the container a terminal.' },
  {
    name: 'attach',
    type: 'bool',
    section: streams,
    help: 'Join the streams of the container. The default with -i.',
  },
  { name: 'quiet', type: 'bool', section: streams, help: 'Print nothing but what the container does.' },
] as const satisfies readonly OptionSpec[];
