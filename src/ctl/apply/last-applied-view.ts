import { parseExact } from '../../base/index.ts';
import { CtlError, throwGathered, UsageError } from '../errors.ts';
import { allOption, fileOptions, outputOption, selectorOption, sourcesOf } from '../options/shared.ts';
import { resolveObjects } from '../resource/resolve-objects.ts';
import { defineVerb } from '../verb.ts';

/** `ctl apply view-last-applied`. */
export const viewLastAppliedVerb = defineVerb({
  program: {
    name: 'ctl apply view-last-applied',
    summary: 'Show what objects were applied from',
    usage: '(TYPE [NAME | -l SELECTOR | --all] | TYPE/NAME | -f FILE) [flags]',
    options: [
      ...fileOptions,
      selectorOption,
      allOption,
      {
        ...outputOption,
        default: 'yaml',
        suggested: ['json', 'yaml'],
        help: 'Format to print in: yaml or json.',
      },
    ],
    examples: [
      { command: 'ctl apply view-last-applied deployment/web', does: 'show it as YAML' },
      { command: 'ctl apply view-last-applied -f web.yaml -o json', does: 'show it as JSON' },
    ],
  },
  async run(ctl, { options, args }) {
    const format = await readFormat(options.output);
    const { objects, errors } = await resolveObjects(ctl, {
      args,
      ...sourcesOf(options),
      labelSelector: options.selector,
      selectsAll: options.all,
    });
    throwGathered(errors);
    const annotation = ctl.dialect.lastAppliedAnnotation;
    // All of them are read first: a part of the answer would look like all of it.
    const isSelection = options.all || Boolean(options.selector);
    const texts = objects.map(({ name, object }) => {
      const text = object.metadata.annotations?.[annotation];
      if (text) return format(text, name);
      // Among many, those that apply does not know are passed over, as the client of release 1.20 does.
      if (isSelection) return '';
      throw new CtlError(`no last-applied-configuration annotation found on resource: ${name}`);
    });
    for (const text of texts) ctl.io.stdout.write(text);
  },
});

type Formatter = (text: string, name: string) => string;

async function readFormat(output: string): Promise<Formatter> {
  if (output === 'json') return (text, name) => `${JSON.stringify(parse(text, name), undefined, 2)}\n`;
  if (output !== 'yaml') {
    throw new UsageError(`Unexpected -o output mode: ${output}, the flag 'output' must be one of yaml|json`);
  }
  const { writeYaml } = await import('../../machinery/codec/index.ts');
  return (text, name) => writeYaml(parse(text, name));
}

function parse(text: string, name: string): unknown {
  try {
    return parseExact(text);
  } catch (cause) {
    throw new CtlError(`the last-applied-configuration annotation of ${JSON.stringify(name)} is no JSON`, {
      cause,
    });
  }
}
