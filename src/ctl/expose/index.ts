/**
 * `ctl expose`: makes a service that leads to the pods of an object.
 */
import { createGenerated } from '../changes/generated.ts';
import { throwGathered, UsageError } from '../errors.ts';
import { sourcesOf } from '../options/shared.ts';
import { resolveDescribed, resolveForUsage } from '../resource/resolve-objects.ts';
import { defineVerb } from '../verb.ts';
import { makeService } from './make-service.ts';
import { exposeOptions } from './options.ts';

/** The verb. */
export const exposeVerb = defineVerb({
  program: {
    name: 'ctl expose',
    summary: 'Make a service that leads to the pods of an object',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) [--port=PORT] [flags]',
    options: exposeOptions,
    examples: [
      {
        command: 'ctl expose deployment web --port=80 --target-port=8080',
        does: 'reach port 8080 of the pods',
      },
      { command: 'ctl expose pod web --name=front', does: 'reach the ports that the pod names' },
    ],
  },
  async run(ctl, { options, args }) {
    const request = { args, ...sourcesOf(options) };
    if (options.generator !== 'service/v1' && options.generator !== 'service/v2') {
      throw new UsageError(`generator ${JSON.stringify(options.generator)} not found.`);
    }
    const { objects, errors } = await resolveForUsage(ctl, request, resolveDescribed);
    for (const { object, namespace } of objects) {
      try {
        await createGenerated(ctl, options, {
          object: makeService(object, options),
          verb: 'expose',
          operation: 'exposed',
          rehearsal: 'bare',
          overrides: options.overrides,
          namespace,
        });
      } catch (error) {
        errors.push(error);
      }
    }
    throwGathered(errors);
  },
});
