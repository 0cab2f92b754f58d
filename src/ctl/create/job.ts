import { asJsonObject, asText } from '../../base/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';
import { resolveObjects } from '../resource/resolve-objects.ts';
import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, takeName } from './generate.ts';

/** `ctl create job`. */
export const jobVerb = defineVerb({
  program: {
    name: 'ctl create job',
    summary: 'Create a job',
    usage: 'NAME (--image=IMAGE [-- COMMAND [ARG...]] | --from=cronjob/NAME) [flags]',
    options: [
      { name: 'image', type: 'string', section: 'Object', help: 'Image that the job runs.' },
      {
        name: 'from',
        type: 'string',
        valueName: 'cronjob/NAME',
        section: 'Object',
        help: 'Run what a cron job runs, now.',
      },
      ...generatorOptions,
    ],
    examples: [
      { command: 'ctl create job migrate --image=tool -- migrate --all', does: 'run a command once' },
      { command: 'ctl create job backup-now --from=cronjob/backup', does: 'run a cron job out of turn' },
    ],
  },
  async run(ctl, { options, args, dashesAt = args.length }) {
    const name = takeName(args.slice(0, dashesAt));
    const command = args.slice(dashesAt);
    if (Boolean(options.image) === Boolean(options.from)) {
      throw new CtlError('either --image or --from must be specified');
    }
    if (options.from && command.length > 0) throw new CtlError('cannot specify --from and command');
    const job = options.from
      ? await jobOfCronJob(ctl, name, options.from)
      : {
          metadata: { name },
          spec: podJobSpec({ name, image: options.image ?? '', command, restartPolicy: 'Never' }),
        };
    return createGenerated(ctl, options, { apiVersion: 'batch/v1', kind: 'Job', ...job, status: {} });
  },
});

/** What the pod of a job made from flags runs. */
export interface JobPod {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly restartPolicy: string;
}

/** A job of one container. */
export function podJobSpec({ name, image, command, restartPolicy }: JobPod) {
  const container = { name, image, resources: {}, ...(command.length > 0 ? { command } : {}) };
  return {
    template: { metadata: { creationTimestamp: null }, spec: { containers: [container], restartPolicy } },
  };
}

async function jobOfCronJob(
  ctl: Ctl,
  name: string,
  from: string,
): Promise<Pick<WireObject, 'metadata'> & { readonly spec: unknown }> {
  const { objects, errors } = await resolveObjects(ctl, {
    args: [from],
    filenames: [],
    isRecursive: false,
    allowsTypesOnly: true,
  });
  if (errors.length > 0) throw errors[0];
  const [source] = objects;
  if (source === undefined || source.object.kind !== 'CronJob') {
    throw new CtlError(`from must be an existing cronjob: ${from} is a ${source?.object.kind ?? 'list'}`);
  }
  const { apiVersion, kind, metadata } = source.object;
  const template = asJsonObject(asJsonObject(source.object.spec).jobTemplate);
  const { annotations, labels } = asJsonObject(template.metadata);
  return {
    metadata: {
      name,
      annotations: { ...textsOf(annotations), [ctl.dialect.domain('cronjob', 'instantiate')]: 'manual' },
      ...(labels === undefined ? {} : { labels: textsOf(labels) }),
      ownerReferences: [{ apiVersion, kind, name: source.name, uid: metadata.uid ?? '' }],
    },
    spec: template.spec,
  };
}

function textsOf(map: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(asJsonObject(map)).map(([key, value]) => [key, asText(value)]));
}
