import { type OptionSpec, OptionsError } from '../../config/index.ts';
import { CtlError } from '../errors.ts';
import { defineVerb, refuseToGuess, type Verb } from '../verb.ts';
import { createGenerated, generatorOptions, takeName } from './generate.ts';

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
        ...parsePort(text),
        ...(options.nodePort ? { nodePort: options.nodePort } : {}),
      }));
      return createGenerated(ctl, options, {
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
  run(ctl, { options, args }) {
    if (!options.externalName) throw new OptionsError(['required flag(s) "external-name" not set']);
    const name = takeName(args);
    return createGenerated(ctl, options, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, labels: { app: name } },
      spec: {
        ...(options.tcp.length > 0 ? { ports: options.tcp.map(parsePort) } : {}),
        selector: { app: name },
        type: 'ExternalName',
        externalName: options.externalName,
      },
      status: { loadBalancer: {} },
    });
  },
});

function parsePort(text: string): Record<string, unknown> {
  const [port = '', target = port, ...rest] = text.split(':');
  const number = Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65535 || rest.length > 0) {
    throw new CtlError(`${text} is not a port or port:targetPort`);
  }
  if (/^\d+$/.test(target) && (Number(target) < 1 || Number(target) > 65535)) {
    throw new CtlError('must be between 1 and 65535, inclusive');
  }
  const targetPort = /^\d+$/.test(target) ? Number(target) : target;
  return { name: text.replace(':', '-'), port: number, protocol: 'TCP', targetPort };
}
