import { readFileSync } from 'node:fs';
import { parseDocuments } from '../../src/ctl/resource/parse-manifest.ts';
import { createDialect, translateData } from '../../src/machinery/dialect.ts';
import manifests from '../unit/ctl/convert/manifests/cases.json' with { type: 'json' };
import references from '../unit/ctl/convert/reference/cases.json' with { type: 'json' };

const folder = new URL('../unit/ctl/convert/', import.meta.url);
const kubernetes = createDialect('kubernetes');

/** What the release's converter answers to one document: what it converts it to, or why it does not. */
export type ConverterAnswer =
  | { readonly object: Readonly<Record<string, unknown>> }
  | { readonly error: string };

/** One document that is converted by itself, in the orch dialect. */
export interface ConverterCase {
  /** `Deployment web of extensions/v1beta1 to apps/v1`. */
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>> & { readonly apiVersion: string };
  /** Version asked for; the preferred one when left out. */
  readonly version: string | undefined;
  /** As it was recorded; undefined when it was not. */
  readonly recorded: ConverterAnswer | undefined;
}

/** The documents of a file, converted to one version, and what the release's converter answered. */
export interface ConverterCaseFile {
  readonly name: string;
  readonly answersFile: URL;
  readonly cases: readonly ConverterCase[];
}

const prefix = '--output-version=';
const files: readonly { file: string; name: string; version?: string | undefined }[] = [
  ...references.map(({ file, version }) => {
    const target = version?.replaceAll(/[./]/g, '-') ?? 'preferred';
    return { file: `reference/${file}.yaml`, name: `${file}-${target}`, version };
  }),
  ...manifests.map(({ name, args }) => ({
    file: `manifests/${name}/input.yaml`,
    name: `manifest-${name}`,
    version: args.find((arg) => arg.startsWith(prefix))?.slice(prefix.length),
  })),
];

/** Names of all files of cases. */
export const converterCaseFiles: readonly string[] = files.map(({ name }) => name);

/** The documents of one of them, each with the version that it is converted to. */
export async function readConverterCases(fileName: string): Promise<ConverterCaseFile> {
  const found = files.find(({ name }) => name === fileName);
  if (found === undefined) throw new RangeError(`no cases ${fileName}`);
  const { file, name, version } = found;
  const answersFile = new URL(`reference/answers/${name}.json`, folder);
  const answers = readAnswers(answersFile);
  const documents = await parseDocuments(readFileSync(new URL(file, folder), 'utf8'), file);
  const cases = documents.map(({ value }, index) => {
    // Documents of kept manifests are objects.
    const document = value as { apiVersion: string; kind: string; metadata?: { name?: string } };
    const what = `${document.kind} ${document.metadata?.name ?? index} of ${document.apiVersion}`;
    const caseName = `${what} to ${version ?? 'the preferred version'}`;
    return { name: caseName, document, version, recorded: answers[index] };
  });
  return { name, answersFile, cases };
}

function readAnswers(file: URL): readonly ConverterAnswer[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** A value in the other dialect. */
export const spellAll = <T>(value: T): T => translateData(kubernetes, value);

/** A value of the other dialect in ours. */
export const unspellAll = <T>(value: T): T =>
  translateData({ ...kubernetes, spell: kubernetes.unspell }, value);
