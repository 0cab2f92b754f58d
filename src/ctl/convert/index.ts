/**
 * `ctl convert`: brings manifests to another version of their kinds, offline, with the conversions and defaults of the
 * server. It changes no files and asks a server only when told to. Source: the conversion command of release 1.20.
 */
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered, UsageError } from '../errors.ts';
import { createObjectPrinter } from '../printers/object-printer.ts';
import { parseDocuments } from '../resource/parse-manifest.ts';
import { readSources } from '../resource/read-sources.ts';
import { defineVerb } from '../verb.ts';
import { convertDocument, nameOf } from './convert-document.ts';
import type { ConversionRequest } from './convert-object.ts';
import type { Notice } from './notice.ts';
import { type ConvertOptions, convertOptions } from './options.ts';

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
    const { createConversionModel } = await import('./model.ts');
    const model = createConversionModel(ctl.dialect);
    const outputVersion = options['output-version'] || undefined;
    if (outputVersion !== undefined && !model.families.versions.has(outputVersion)) {
      throw new CtlError(`no built-in kind has the version ${JSON.stringify(outputVersion)}`);
    }
    const converted = await convertSources(ctl, options, {
      model,
      outputVersion,
      namesAllRefusals: options.validate,
    });
    throwGathered(converted.errors);
    if (!options.local) await findOnServer(ctl, converted.documents);
    await printDocuments(ctl, options.output, converted.documents);
  },
});

type Document = Readonly<Record<string, unknown>>;

interface Conversion {
  readonly documents: Document[];
  readonly errors: unknown[];
}

/** Converts all that can be; what cannot is among the errors. */
async function convertSources(
  ctl: Ctl,
  options: ConvertOptions,
  request: ConversionRequest,
): Promise<Conversion> {
  const documents: Document[] = [];
  const errors: unknown[] = [];
  const sources = await readSources(ctl.io, {
    filenames: options.filename,
    isRecursive: options.recursive,
  });
  for (const { source, text } of sources) {
    try {
      for (const document of await parseDocuments(text, source)) {
        try {
          const converted = convertDocument(document, request, (object, { notices }) => {
            for (const notice of notices) {
              const line = `${source}: ${nameOf(object)}: ${notice.path === '' ? '' : `${notice.path}: `}${notice.text}`;
              if (isError(notice, options)) errors.push(new CtlError(line));
              else ctl.io.stderr.write(`${notice.level === 'note' ? 'Note' : 'Warning'}: ${line}\n`);
            }
          });
          documents.push(converted);
        } catch (error) {
          if (!(error instanceof CtlError)) throw error;
          errors.push(new CtlError(`${source}: ${error.message}`, { cause: error }));
        }
      }
    } catch (error) {
      if (!(error instanceof CtlError)) throw error;
      errors.push(error);
    }
  }
  return { documents, errors };
}

function isError({ level }: Notice, { strict, validate }: ConvertOptions): boolean {
  if (level === 'note') return false;
  return strict || (validate && level !== 'attention');
}

/** @throws CtlError when the server lacks what a document is converted to */
async function findOnServer(ctl: Ctl, documents: readonly Document[]): Promise<void> {
  for (const document of documents) {
    const { apiVersion, kind, items } = document;
    if (Array.isArray(items)) {
      const own = kind === 'List' ? {} : { apiVersion, kind: String(kind).replace(/List$/, '') };
      await findOnServer(
        ctl,
        items.map((item: Document) => ({ ...own, ...item })),
      );
    } else await ctl.findKind(String(apiVersion), String(kind), 'converted object');
  }
}

/** YAML has a document for each; JSON is one value, a list where there are several. */
async function printDocuments(ctl: Ctl, output: ConvertOptions['output'], documents: readonly Document[]) {
  const print = await createObjectPrinter({
    format: { kind: output as 'json' | 'yaml' | 'name' }, // the option allows just these
    hasHeaders: false,
    allowsMissingKeys: true,
    showsManagedFields: true,
  });
  const values =
    output === 'json' && documents.length > 1
      ? [{ apiVersion: 'v1', kind: 'List', items: documents.flatMap(itemsOfList) }]
      : documents;
  for (const value of values) ctl.io.stdout.write(print(value));
}

/** A list of anything in a list of anything would be one list too many. */
function itemsOfList(document: Document): readonly unknown[] {
  return document.kind === 'List' && Array.isArray(document.items) ? document.items : [document];
}
