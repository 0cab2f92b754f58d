import { asJsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { recordOption } from '../options/change.ts';
import { hasFiles } from '../options/shared.ts';
import { parseSelectorText } from '../resource/parse-selector.ts';
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
      if (operator === '=' || operator === '==') return [key, values[0] ?? ''];
      const name = { in: 'In', notin: 'NotIn', exists: 'Exists', '!': 'DoesNotExist' }[String(operator)];
      if (name === undefined)
        throw new CtlError(`${JSON.stringify(operator)} is not a valid label selector operator`);
      throw new CtlError(
        `match expression [{${key} ${name} [${values.join(' ')}]}] not supported on this object`,
      );
    }),
  );
}
