import { listYamlKeys } from '../../machinery/codec/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { createObjectPrinter } from '../printers/object-printer.ts';
import { type ObjectFormat, parseObjectFormat } from '../printers/output-format.ts';
import { type ParsedDocument, parseDocuments } from '../resource/parse-manifest.ts';
import { readSources } from '../resource/read-sources.ts';
import { join } from './compare.ts';
import { convertDocument, type ObjectReport } from './convert-document.ts';
import type { ConversionRequest } from './convert-object.ts';
import { isManifestObject } from './manifest-object.ts';
import { createConversionModel } from './model.ts';
import type { ConvertOptions } from './options.ts';
import { listRepeatedJsonKeys, type RepeatedKey } from './repeated-json-keys.ts';
import { tellReports } from './tell-reports.ts';

/** Converts all sources and prints the results; when anything fails, only that. @throws what went wrong */
export async function runConvert(ctl: Ctl, options: ConvertOptions): Promise<void> {
  const format = parseObjectFormat(options.output || 'yaml');
  const model = createConversionModel(ctl.dialect);
  const outputVersion = options.outputVersion || undefined;
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
  await printDocuments(ctl, options, format, converted.documents);
}

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
  const sources = await readSources(ctl, {
    filenames: options.filename,
    isRecursive: options.recursive,
  });
  for (const { source, text } of sources) {
    await gatherErrors(errors, '', async () => {
      for (const document of await parseDocuments(text, source)) {
        await gatherErrors(errors, `${source}: `, async () => {
          const reports = [...reportRepeatedKeys(document)];
          documents.push(convertDocument(document.value, request, (report) => reports.push(report)));
          const located = { ...document, source, isMade: false };
          errors.push(...tellReports(ctl, { document: located, reports, options }));
        });
      }
    });
  }
  return { documents, errors };
}

/** Runs an action and keeps what it says is wrong, with `prefix` in front. */
async function gatherErrors(errors: unknown[], prefix: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    errors.push(prefix === '' ? error : new CtlError(prefix + error.message, { cause: error }));
  }
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

/** YAML has a document for each, names a line; JSON and templates get one value, a list where there are several. */
async function printDocuments(
  ctl: Ctl,
  { allowMissingTemplateKeys }: ConvertOptions,
  format: ObjectFormat,
  documents: readonly Document[],
): Promise<void> {
  const print = await createObjectPrinter({
    format,
    hasHeaders: false,
    allowsMissingKeys: allowMissingTemplateKeys,
    showsManagedFields: true,
  });
  const isOneValue = format.kind !== 'yaml' && format.kind !== 'name';
  const values =
    isOneValue && documents.length > 1
      ? [{ apiVersion: 'v1', kind: 'List', items: documents.flatMap(itemsOfList) }]
      : documents;
  // All at once: when the last one cannot be printed, nothing is.
  ctl.io.stdout.write(values.map(print).join(''));
}

/** A list of anything in a list of anything would be one list too many. */
function itemsOfList(document: Document): readonly unknown[] {
  return document.kind === 'List' && Array.isArray(document.items) ? document.items : [document];
}

/** Keys that stand twice in one map of a document: readers keep the last one only. */
function reportRepeatedKeys({ value, format, text, line: firstLine }: ParsedDocument): ObjectReport[] {
  const repeated = format === 'json' ? listRepeatedJsonKeys(text) : listRepeatedYamlKeys(text);
  if (repeated.length === 0 || !isManifestObject(value)) return [];
  const notices = repeated.map(({ path, line }) => ({
    level: 'attention' as const,
    path,
    text: `lost what stands above line ${firstLine + line - 1}: there the key comes again`,
  }));
  return [{ object: value, path: [], notices, faults: [] }];
}

function listRepeatedYamlKeys(text: string): RepeatedKey[] {
  return (
    listYamlKeys(Buffer.from(text, 'utf8'))
      // All maps that are merged into one count.
      .filter(({ isRepeated, path }) => isRepeated && path.at(-1) !== '<<')
      .map(({ path, line }) => ({
        path: path.reduce((parent, name) => (name === '[]' ? `${parent}[*]` : join(parent, name)), ''),
        line,
      }))
  );
}
