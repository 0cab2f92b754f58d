import { CtlError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, requireFlags, takeName } from './generate.ts';

/** `ctl create deployment`. */
export const deploymentVerb = defineVerb({
  program: {
    name: 'ctl create deployment',
    summary: 'Create a deployment',
    usage: 'NAME --image=IMAGE... [flags] [-- COMMAND [ARG...]]',
    options: [
      {
        name: 'image',
        type: 'strings',
        section: 'Object',
        help: 'Image of a container; may be given several times.',
      },
      {
        name: 'replicas',
        short: 'r',
        type: 'int32',
        default: 1,
        min: 0,
        section: 'Object',
        help: 'How many pods to run.',
      },
      {
        name: 'port',
        type: 'int32',
        min: 1,
        max: 65535,
        section: 'Object',
        help: 'Port that the container listens on.',
      },
      ...generatorOptions,
    ],
  },
  run(ctl, { options, given, args }) {
    const [name, ...command] = args;
    requireFlags(given, { image: 'image' });
    if (options.image.length > 1 && command.length > 0) {
      throw new CtlError('cannot specify multiple --image options and command');
    }
    const labels = { app: takeName(name === undefined ? [] : [name]) };
    const containers = options.image.map((image, index) => ({
      name: containerName(image),
      image,
      resources: {},
      ...(command.length > 0 ? { command } : {}),
      ...(options.port === undefined || options.port < 0 || index > 0
        ? {}
        : { ports: [{ containerPort: options.port }] }),
    }));
    return createGenerated(ctl, options, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: labels.app, labels },
      spec: {
        replicas: options.replicas,
        selector: { matchLabels: labels },
        strategy: {},
        template: { metadata: { creationTimestamp: null, labels }, spec: { containers } },
      },
      status: {},
    });
  },
});

/** The last part of an image's path, without tag and digest, as a container's name. */
function containerName(image: string): string {
  const base = image.slice(image.lastIndexOf('/') + 1).split(/[:@]/)[0] ?? image;
  return base.replace(/[^a-zA-Z0-9-]/g, '-').toLowerCase();
}
