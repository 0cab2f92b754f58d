/**
 * `ctl label` and `ctl annotate`: set and take away keys in an object's metadata.
 */
import { isLabelValue } from '../../machinery/formats/index.ts';
import { CtlError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { labelOptions } from './options.ts';
import { runKeyChanges } from './run-key-changes.ts';

const usage = '(-f FILE | TYPE (NAME... | -l SELECTOR | --all) | TYPE/NAME...) KEY=VALUE... KEY-... [flags]';

/** `ctl label`. */
export const labelVerb = defineVerb({
  program: {
    name: 'ctl label',
    summary: 'Change labels of objects',
    usage,
    options: labelOptions,
    examples: [
      { command: 'ctl label pod web tier=front', does: 'add a label' },
      { command: 'ctl label pods --all tier-', does: 'take a label away from all pods of the namespace' },
    ],
  },
  run: (ctl, call) =>
    runKeyChanges(ctl, call, {
      field: 'labels',
      what: 'label',
      done: 'labeled',
      unchanged: 'not labeled',
      checkChanges: ({ set }) => {
        for (const [key, value] of set) checkLabelValue(key, value);
      },
    }),
});

/** `ctl annotate`. */
export const annotateVerb = defineVerb({
  program: {
    name: 'ctl annotate',
    summary: 'Change annotations of objects',
    usage,
    options: labelOptions,
    examples: [{ command: "ctl annotate pod web note='checked by hand'", does: 'add an annotation' }],
  },
  run: (ctl, call) =>
    runKeyChanges(ctl, call, {
      field: 'annotations',
      what: 'annotation',
      done: 'annotated',
      unchanged: 'annotated',
      checkChanges() {},
    }),
});

function checkLabelValue(key: string, value: string): void {
  const problems = isLabelValue(value);
  if (problems.length === 0) return;
  throw new CtlError(`invalid label value: ${JSON.stringify(`${key}=${value}`)}: ${problems.join(';')}`);
}
