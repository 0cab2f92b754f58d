import type { OptionSpec } from '../../config/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isDns1123Subdomain, isValidPortName, isValidPortNumber } from '../../machinery/formats/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { goPortProblem } from '../options/go-port.ts';
import { defineVerb, refuseToGuess, type Verb } from '../verb.ts';
import { createGenerated, generatorOptions, requireFlags, takeName } from './generate.ts';

const types = { clusterip: 'ClusterIP', loadbalancer: 'LoadBalancer', nodeport: 'NodePort' } as const;

/** `ctl create service`: the types of service are commands of their own. */
export const serviceVerb = defineVerb({
  program: {
    name: 'ctl create service',
    summary: 'Create a service',
    usage: '(clusterip | externalname | loadbalancer | nodeport) NAME [flags]',
    options: [],
  },
  subverbs: {
    clusterip: async () => portServiceVerb('clusterip'),
    loadbalancer: async () => portServiceVerb('loadbalancer'),
    nodeport: async () => portServiceVerb('nodeport'),
    externalname: async () => externalNameVerb,
  },
  run: refuseToGuess,
});

const portOption = {
  name: 'tcp',
  type: 'strings',
  valueName: 'PORT[:TARGET]',
  section: 'Object',
  help: 'Port of the service, and port of the pods when that is another one.',
} as const satisfies OptionSpec;

function portServiceVerb(type: keyof typeof types): Verb {
  return defineVerb({
    program: {
      name: `ctl create service ${type}`,
      summary: `Create a service of type ${types[type]}`,
      usage: 'NAME --tcp=PORT[:TARGET]... [flags]',
      options: [
        portOption,
        {
          name: 'clusterip',
          type: 'string',
          section: 'Object',
          help: 'Address of the service, or None for none.',
        },
        {
          name: 'node-port',
          type: 'int',
          min: 0,
          max: 65535,
          section: 'Object',
          help: 'Port on every node.',
        },
        ...generatorOptions,
      ],
    },
    run(ctl, { options, args }) {
      const name = takeName(args);
      if (options.tcp.length === 0 && options.clusterip !== 'None') {
        throw new CtlError('at least one tcp port specifier must be provided');
      }
      const ports = options.tcp.map((text) => ({
        ...parsePort(text, ctl.dialect),
        ...(options.nodePort ? { nodePort: options.nodePort } : {}),
      }));
      return createGenerated(ctl, unsaved(ctl, options), {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, labels: { app: name } },
        spec: {
          ...(ports.length > 0 ? { ports } : {}),
          selector: { app: name },
          type: types[type],
          ...(options.clusterip ? { clusterIP: options.clusterip } : {}),
        },
        status: { loadBalancer: {} },
      });
    },
  });
}

const externalNameVerb = defineVerb({
  program: {
    name: 'ctl create service externalname',
    summary: 'Create a service that stands for a name outside',
    usage: 'NAME --external-name=HOST [flags]',
    options: [
      { name: 'external-name', type: 'string', valueName: 'HOST', section: 'Object', help: 'Name outside.' },
      portOption,
      ...generatorOptions,
    ],
  },
  run(ctl, { options, given, args }) {
    requireFlags(given, { externalName: 'external-name' });
    const name = takeName(args);
    const { externalName = '' } = options;
    if (isDns1123Subdomain(externalName).length > 0) {
      throw new CtlError(`invalid service external name ${externalName}`);
    }
    return createGenerated(ctl, unsaved(ctl, options), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, labels: { app: name } },
      spec: {
        ...(options.tcp.length > 0 ? { ports: options.tcp.map((text) => parsePort(text, ctl.dialect)) } : {}),
        selector: { app: name },
        type: 'ExternalName',
        externalName,
      },
      status: { loadBalancer: {} },
    });
  },
});

function parsePort(text: string, dialect: Dialect): Record<string, unknown> {
  const [port = '', target = port, ...rest] = text.split(':');
  const problem = dialect.name === 'kubernetes' ? goPortProblem(port) : ownProblem(text, port, rest);
  if (problem !== undefined) throw new CtlError(problem);
  const name = text.replaceAll(':', '-');
  // What is no number is the name of a port.
  const isNumber = /^[+-]?\d+$/.test(target);
  const problems = isNumber ? isValidPortNumber(Number(target)) : isValidPortName(target);
  // One that stands for both, servers judge.
  if (target !== port && problems.length > 0) throw new CtlError(problems.join(','));
  return { name, port: Number(port), protocol: 'TCP', targetPort: isNumber ? Number(target) : target };
}

/** Release 1.20's client leaves 0 to the server, and overlooks what stands behind a second colon. */
function ownProblem(text: string, port: string, rest: readonly string[]): string | undefined {
  const isPort = /^\d+$/.test(port) && isValidPortNumber(Number(port)).length === 0;
  return isPort && rest.length === 0 ? undefined : `${text} is not a port or port:targetPort`;
}

/** Release 1.20 has the flag `--save-config` for services as well, and forgets it. */
const unsaved = <T extends { readonly saveConfig: boolean }>({ dialect }: Ctl, options: T): T =>
  dialect.name === 'orch' ? options : { ...options, saveConfig: false };
