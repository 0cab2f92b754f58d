import type { OptionSpec } from '../../config/index.ts';
import { generatorOptions, overridesOption } from '../changes/generated.ts';
import { fileOptions } from '../options/shared.ts';

const section = 'Object';

/** Options of `expose`. */
export const exposeOptions = [
  { name: 'name', type: 'string', section, help: 'Name of the service; by default that of the object.' },
  {
    name: 'port',
    type: 'string',
    valueName: 'PORT[,PORT...]',
    section,
    help: 'Ports of the service; by default those of the object.',
  },
  {
    name: 'target-port',
    type: 'string',
    section,
    help: 'Number or name of the port of the pods; by default the port of the service.',
  },
  {
    name: 'protocol',
    type: 'string',
    section,
    help: 'Protocol of the ports; by default that of the object.',
  },
  {
    name: 'type',
    type: 'string',
    suggested: ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'],
    section,
    help: 'Type of the service: ClusterIP, NodePort, LoadBalancer or ExternalName.',
  },
  { name: 'cluster-ip', type: 'string', section, help: 'Address of the service, or None for none.' },
  { name: 'external-ip', type: 'string', section, help: 'Another address that leads to the service.' },
  {
    name: 'load-balancer-ip',
    type: 'string',
    section,
    help: 'Address for a service of type LoadBalancer.',
  },
  {
    name: 'session-affinity',
    type: 'string',
    suggested: ['None', 'ClientIP'],
    section,
    help: 'Whether a client stays with a pod: None or ClientIP.',
  },
  { name: 'labels', short: 'l', type: 'string', section, help: 'Labels of the service: KEY=VALUE,...' },
  {
    name: 'selector',
    type: 'string',
    section,
    help: 'Labels of the pods: KEY=VALUE,... By default those that the object selects.',
  },
  {
    name: 'generator',
    type: 'string',
    default: 'service/v2',
    section,
    help: 'service/v1 gives the port of a service with one port the name default, service/v2 none.',
  },
  overridesOption,
  ...fileOptions,
  ...generatorOptions,
] as const satisfies readonly OptionSpec[];

/** Options of `expose` as a table. */
export type ExposeOptions = typeof exposeOptions;
