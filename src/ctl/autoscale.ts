import type { ConfigOf, OptionSpec } from '../config/index.ts';
import { OptionsError } from '../config/index.ts';
import { createGenerated, generatorOptions } from './changes/generated.ts';
import { CtlError, throwGathered } from './errors.ts';
import { retiredOption } from './options/retired.ts';
import { fileOptions, sourcesOf } from './options/shared.ts';
import type { WireObject } from './resource/api-object.ts';
import { type LiveTarget, resolveDescribed } from './resource/resolve-objects.ts';
import { defineVerb } from './verb.ts';

const section = 'Object';

const autoscaleOptions = [
  { name: 'max', type: 'int32', section, help: 'How many pods there may be at most. Required.' },
  {
    name: 'min',
    type: 'int32',
    default: -1,
    section,
    help: 'How many pods there must be at least; below 1 the server decides.',
  },
  {
    name: 'cpu-percent',
    type: 'int32',
    default: -1,
    section,
    help: 'Use of CPU that is aimed at, in percent of what pods request; negative: the server decides.',
  },
  { name: 'name', type: 'string', section, help: 'Name of the autoscaler; by default that of the object.' },
  ...fileOptions,
  ...generatorOptions,
  retiredOption('generator'),
] as const satisfies readonly OptionSpec[];

/** `ctl autoscale`. */
export const autoscaleVerb = defineVerb({
  program: {
    name: 'ctl autoscale',
    summary: 'Make an autoscaler for an object that can be scaled',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) --max=COUNT [--min=COUNT] [--cpu-percent=PERCENT] [flags]',
    options: autoscaleOptions,
    examples: [
      { command: 'ctl autoscale deployment web --min=2 --max=10 --cpu-percent=80', does: 'run 2 to 10 pods' },
    ],
  },
  async run(ctl, { options, args }) {
    const { max, min } = options;
    if (max === undefined) throw new OptionsError(['required flag(s) "max" not set']);
    if (max < 1) throw new CtlError(`--max=MAXPODS is required and must be at least 1, max: ${max}`);
    if (max < min) {
      throw new CtlError(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`);
    }
    const request = { args, ...sourcesOf(options) };
    const { objects, errors } = await resolveDescribed(ctl, request);
    for (const target of objects) {
      try {
        await createGenerated(ctl, options, {
          object: makeAutoscaler(target, { ...options, max }),
          verb: 'autoscale',
          // Release 1.20 says `created` of what it did not create.
          operation: options.dryRun === 'none' ? 'autoscaled' : 'created',
          rehearsal: 'bare',
          namespace: target.namespace,
        });
      } catch (error) {
        errors.push(error);
      }
    }
    throwGathered(errors);
  },
});

type AutoscaleConfig = ConfigOf<typeof autoscaleOptions> & { readonly max: number };

/** @throws CtlError for an object that cannot be scaled. */
function makeAutoscaler({ resource, object, name }: LiveTarget, options: AutoscaleConfig): WireObject {
  if (!resource.subresources.includes('scale')) {
    const where = `${resource.group}/${resource.version}, Resource=${resource.name}`;
    throw new CtlError(
      `cannot autoscale a ${object.kind}: could not find scale subresource for ${where} in discovery information`,
    );
  }
  const { max, min, cpuPercent } = options;
  return {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: { name: options.name || name },
    spec: {
      scaleTargetRef: { kind: object.kind, name, apiVersion: object.apiVersion },
      ...(min > 0 && { minReplicas: min }),
      maxReplicas: max,
      ...(cpuPercent >= 0 && { targetCPUUtilizationPercentage: cpuPercent }),
    },
  };
}
