import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, requireFlags, takeName } from './generate.ts';
import { podJobSpec } from './job.ts';

/** `ctl create cronjob`. */
export const cronJobVerb = defineVerb({
  program: {
    name: 'ctl create cronjob',
    summary: 'Create a cron job',
    usage: 'NAME --image=IMAGE --schedule=SCHEDULE [flags] [-- COMMAND [ARG...]]',
    options: [
      { name: 'image', type: 'string', section: 'Object', help: 'Image that the jobs run.' },
      {
        name: 'schedule',
        type: 'string',
        section: 'Object',
        help: 'When jobs run, in the format of cron: minute, hour, day of month, month, day of week.',
      },
      {
        name: 'restart',
        type: 'string',
        section: 'Object',
        help: 'Restart policy of the pods: OnFailure (the default) or Never.',
      },
      ...generatorOptions,
    ],
    examples: [
      {
        command: "ctl create cronjob tidy --image=tool --schedule='0 3 * * *' -- tidy",
        does: 'run it every night',
      },
    ],
  },
  run(ctl, { options, given, args, dashesAt = args.length }) {
    requireFlags(given, { image: 'image', schedule: 'schedule' });
    const name = takeName(args.slice(0, dashesAt));
    const command = args.slice(dashesAt);
    const { image = '', schedule } = options;
    const job = podJobSpec({ name, image, command, restartPolicy: options.restart || 'OnFailure' });
    return createGenerated(ctl, options, {
      apiVersion: 'batch/v1beta1',
      kind: 'CronJob',
      metadata: { name },
      spec: { jobTemplate: { metadata: { creationTimestamp: null, name }, spec: job }, schedule },
      status: {},
    });
  },
});
