import { asJsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { recordOption } from '../options/change.ts';
import { hasFiles } from '../options/shared.ts';
import { objectOperator, parseSelectorText } from '../resource/parse-selector.ts';
import { defineVerb } from '../verb.ts';
import { missingObjects, runSet, setOptions } from './run-set.ts';

/** `ctl set selector`. */
export const selectorVerb = defineVerb({
  program: {
    name: 'ctl set selector',
    summary: 'Change which pods a service leads to',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) KEY=VALUE,... [flags]',
    options: [
      ...setOptions,
      recordOption,
      {
        name: 'resource-version',
        type: 'string',
        section: 'Changes',
        help: 'Do it only at this version of the object.',
      },
    ],
    examples: [{ command: 'ctl set selector service web app=web,tier=front', does: 'lead to other pods' }],
  },
  async run(ctl, { options, args }) {
    const expression = args.at(-1);
    if (expression === undefined) throw new CtlError('one selector is required');
    const resources = args.slice(0, -1);
    if (resources.length === 0 && !hasFiles(options)) {
      throw new CtlError(missingObjects);
    }
    for (const { operator } of parseSelectorText(expression).requirements) objectOperator(operator);
    await runSet(ctl, {
      options,
      resources,
      operation: 'selector updated',
      reportsUnchanged: true,
      namesObject: false,
      resourceVersion: options.resourceVersion,
      edit(object) {
        if (object.kind !== 'Service' || object.apiVersion !== 'v1') {
          throw new CtlError('setting a selector is only supported for Services');
        }
        const selector = parseMapSelector(expression);
        return { object: { ...object, spec: { ...asJsonObject(object.spec), selector } } };
      },
    });
  },
});

/** The labels that a selector wants. @throws CtlError for conditions that a service's selector cannot have */
export function parseMapSelector(text: string): Readonly<Record<string, string>> {
  const parsed = parseSelectorText(text);
  return Object.fromEntries(
    parsed.requirements.map(({ key, operator, values }) => {
      const name = objectOperator(operator);
      if (name === undefined) return [key, values[0] ?? ''];
      throw new CtlError(
        `match expression [{${key} ${name} [${values.join(' ')}]}] not supported on this object`,
      );
    }),
  );
}
