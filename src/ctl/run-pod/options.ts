import type { OptionSpec } from '../../config/index.ts';
import { generatorOptions, overridesOption } from '../changes/generated.ts';
import { cascadeOption, gracePeriodOption } from '../options/deletion.ts';
import { joinOptions, pullPolicyOption } from '../options/new-container.ts';
import { retiredOption } from '../options/retired.ts';
import { runningTimeoutOption } from '../pods/running-timeout.ts';

const section = 'Object';
const streams = 'Streams';
const changes = 'Changes';

/** Flags that earlier clients had. */
const retired = ['generator', 'replicas', 'schedule'] as const;

/** Options of `run`. */
export const runOptions = [
  { name: 'image', type: 'string', section, help: 'Image of the container. Required.' },
  {
    name: 'command',
    type: 'bool',
    section,
    help: 'The words behind NAME are the command, not its arguments.',
  },
  { name: 'env', type: 'strings', valueName: 'NAME=VALUE', section, help: 'Environment variable.' },
  { name: 'labels', short: 'l', type: 'string', section, help: 'Labels: KEY=VALUE,... By default run=NAME.' },
  { name: 'annotations', type: 'strings', valueName: 'KEY=VALUE', section, help: 'Annotation.' },
  { name: 'port', type: 'string', section, help: 'Port that the container listens on.' },
  { name: 'hostport', type: 'int', default: -1, section, help: 'Port of the node that leads to it.' },
  { name: 'expose', type: 'bool', section, help: 'Make a service that leads to the port, too.' },
  {
    name: 'service-overrides',
    type: 'string',
    valueName: 'JSON',
    section,
    deprecated: 'make the service with ctl expose --overrides',
    help: 'With --expose: JSON that is merged into the service before it is sent.',
  },
  {
    name: 'service-generator',
    type: 'string',
    default: 'service/v2',
    section,
    deprecated: 'make the service with ctl expose',
    help: 'With --expose: service/v1 gives the port of the service the name default, service/v2 none.',
  },
  {
    name: 'restart',
    type: 'string',
    suggested: ['Always', 'OnFailure', 'Never'],
    section,
    help: 'When the container starts again: Always, OnFailure or Never; by default Always.',
  },
  pullPolicyOption(section),
  {
    name: 'limits',
    type: 'string',
    section,
    help: 'Most that the container may use: cpu=200m,memory=512Mi.',
  },
  { name: 'requests', type: 'string', section, help: 'What the container needs: cpu=100m,memory=256Mi.' },
  { name: 'serviceaccount', type: 'string', section, help: 'Service account of the pod.' },
  { name: 'privileged', type: 'bool', section, help: 'Run the container with all privileges of the node.' },
  overridesOption,
  ...joinOptions,
  {
    name: 'leave-stdin-open',
    type: 'bool',
    section: streams,
    help: 'Keep the standard input open when whoever was attached goes.',
  },
  {
    name: 'rm',
    type: 'bool',
    section: changes,
    help: 'Delete the pod when the container that was attached to ended.',
  },
  runningTimeoutOption('1m0s'),
  cascadeOption,
  gracePeriodOption,
  { name: 'force', type: 'bool', section: changes, help: 'With --rm: remove the pod at once.' },
  { name: 'wait', type: 'bool', section: changes, help: 'With --rm: wait until the pod is gone.' },
  {
    name: 'timeout',
    type: 'duration',
    default: '0s',
    section: changes,
    help: 'With --wait: how long to wait; 0 for as long as it takes.',
  },
  ...generatorOptions,
  ...retired.map(retiredOption),
] as const satisfies readonly OptionSpec[];

/** Options of `run` as a table. */
export type RunOptions = typeof runOptions;
