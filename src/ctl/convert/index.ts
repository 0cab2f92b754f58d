/**
 * `ctl convert`: brings manifests to another version of their kinds, offline, with the conversions and defaults of the
 * server. It changes no files and asks a server only when told to. Source: the conversion command of release 1.20.
 */
import { UsageError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { convertOptions } from './options.ts';

/** `ctl convert`. */
export const convertVerb = defineVerb({
  program: {
    name: 'ctl convert',
    summary: 'Bring manifests to another API version',
    usage: '-f FILE [--output-version GROUP/VERSION] [flags]',
    description: [
      'Objects come out in the order in which they are read, with the defaults of their old version written down, so that they go on to mean the same. What is lost, made explicit or needs attention is told on the standard error.',
      'Objects that are in the right version, and kinds that are not built in, stay as they are. When anything fails, nothing is printed.',
    ],
    options: convertOptions,
    examples: [
      { command: 'ctl convert -f old/ -R', does: 'bring all files of a folder to the preferred versions' },
      {
        command: 'ctl convert -f web.yaml --output-version apps/v1 -o json',
        does: 'convert to one version, as JSON',
      },
      {
        command: 'ctl convert -f web.yaml --strict | ctl apply -f -',
        does: 'apply what converts without doubt',
      },
    ],
  },
  async run(ctl, { options, args }) {
    if (args.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(args[0])}`);
    if (options.filename.length === 0) throw new UsageError('must specify --filename (-f)');
    // Types, conversions and rules are loaded for this only, not for the help.
    const { runConvert } = await import('./run-convert.ts');
    await runConvert(ctl, options);
  },
});
