import { CtlError } from '../errors.ts';
import { recordOption } from '../options/change.ts';
import { hasFiles } from '../options/shared.ts';
import { defineVerb } from '../verb.ts';
import { editPodSpec } from './pod-spec.ts';
import { missingObjects, runSet, setOptions } from './run-set.ts';

/** `ctl set serviceaccount`. */
export const serviceAccountVerb = defineVerb({
  program: {
    name: 'ctl set serviceaccount',
    summary: 'Change the service account of pods',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) ACCOUNT [flags]',
    options: [...setOptions, recordOption],
    examples: [{ command: 'ctl set serviceaccount deployment web runner', does: 'let its pods be runner' }],
  },
  async run(ctl, { options, args }) {
    const serviceAccountName = args.at(-1);
    if (serviceAccountName === undefined) throw new CtlError('serviceaccount is required');
    const resources = args.slice(0, -1);
    if (resources.length === 0 && !hasFiles(options)) {
      throw new CtlError(missingObjects);
    }
    await runSet(ctl, {
      options,
      resources,
      operation: 'serviceaccount updated',
      failure: 'failed to patch ServiceAccountName',
      reportsUnchanged: true,
      edit: (object) => ({ object: editPodSpec(object, (spec) => ({ ...spec, serviceAccountName })) }),
    });
  },
});
