import { asJsonObject, isJsonObject } from '../../base/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { formatCompactJson } from '../printers/json.ts';
import type { ManifestCheck } from '../validation/check-manifest.ts';
import { isWireObject, listMissingIdentity, type WireObject } from './api-object.ts';
import { parseSelection } from './arguments.ts';
import { type ManifestOrigin, parseManifest } from './parse-manifest.ts';
import { readSources, type SourceRequest, type SourceText } from './read-sources.ts';
import type { Target } from './target.ts';

/** An object of a file and where it lives on the server. Its `metadata.namespace` is filled in. */
export interface ManifestTarget extends Target {
  /** Empty when the server is to make a name up (`generateName`). */
  readonly name: string;
  readonly object: WireObject;
  readonly source: string;
  /** Where errors of the server point to; undefined where they do not. */
  readonly origin?: ManifestOrigin | undefined;
}

/** Which files, and what else was on the command line. */
export interface FileRequest extends SourceRequest {
  /** Must be empty: files and types exclude one another. */
  readonly args: readonly string[];
  /** Only objects of the files whose labels fit. */
  readonly labelSelector?: string | undefined;
  /** Refuse objects that do not fit what the server says of their kinds. */
  readonly isValidated?: boolean | undefined;
  /** Return what fits also when other objects do not: for files that are read again when they are mended. */
  readonly keepsFit?: boolean | undefined;
}

/** What files hold: the objects that make sense, and what is wrong with the others. */
export interface ResolvedFiles {
  readonly targets: readonly ManifestTarget[];
  readonly errors: unknown[];
}

/**
 * Reads objects from files and finds their resources. Objects that make no sense are reported, the others returned; in the
 * own dialect none is when files are checked and one of them does not fit or cannot be read.
 *
 * @throws CtlError when the files themselves cannot be read.
 */
export async function resolveFiles(ctl: Ctl, request: FileRequest): Promise<ResolvedFiles> {
  const texts = await readTexts(ctl, request);
  const matches = await compileSelector(request.labelSelector);
  const validate = request.isValidated ? await loadCheck(ctl) : undefined;
  const targets: ManifestTarget[] = [];
  const errors: unknown[] = [];
  const isOwn = ctl.dialect.name === 'orch';
  let isRefused = false;
  const attempt = async <T>(action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof CtlError)) throw error;
      errors.push(error);
      return undefined;
    }
  };
  for (const { source, text } of texts) {
    const isWhole = await attempt(async () => {
      let isFit = true;
      const reading = { isMade: Boolean(request.kustomize), isRelease: !isOwn };
      for await (const document of parseManifest(text, source, reading)) {
        const faults = (await validate?.(document)) ?? [];
        errors.push(...faults);
        if (faults.length > 0) isFit = false;
        // There a document that does not fit ends its file, as in the client of release 1.20: what follows may rest on it.
        if (!isFit && !isOwn) return false;
        if (!isFit) continue;
        for (const [index, value] of document.values.entries()) {
          const path = document.paths[index] ?? [];
          // The release's client forgets where objects of lists come from.
          const isNamed = isOwn || path.length === 0;
          const target = await attempt(() => toTarget(ctl, value, isNamed ? source : ''));
          if (target === undefined || !matches(target.object.metadata.labels ?? {})) continue;
          targets.push(
            isOwn ? { ...target, origin: { document, path } } : { ...target, after: errors.length },
          );
        }
      }
      return isFit;
    });
    if (isWhole !== true) isRefused = true;
  }
  return { targets: isRefused && isOwn && request.isValidated && !request.keepsFit ? [] : targets, errors };
}

/** Files are opened before anybody looks at what stands beside them; a kustomization is read later, as in release 1.20. */
async function readTexts(ctl: Ctl, request: FileRequest): Promise<readonly SourceText[]> {
  const checkArguments = () => parseSelection(request.args, { hasSelector: false, hasFiles: true });
  const isAlone = request.filenames.length === 0 && !request.isRecursive;
  if (request.kustomize && isAlone) checkArguments();
  const texts = await readSources(ctl, request);
  checkArguments();
  return texts;
}

/** Loaded only by commands that check. */
async function loadCheck(ctl: Ctl): Promise<ManifestCheck> {
  const { createManifestCheck } = await import('../validation/check-manifest.ts');
  return createManifestCheck(ctl);
}

/** Files are read by the client, so it must match labels itself. */
async function compileSelector(
  text: string | undefined,
): Promise<(labels: Readonly<Record<string, string>>) => boolean> {
  if (!text) return () => true;
  const { parseFileSelector } = await import('./parse-selector.ts');
  const selector = parseFileSelector(text);
  return (labels) => selector.matches(labels);
}

async function toTarget(ctl: Ctl, value: unknown, source: string): Promise<ManifestTarget> {
  const object = checkObject(value, source);
  const resource = await ctl.findKind(object.apiVersion, object.kind, source);
  const name = object.metadata.name ?? '';
  if (!resource.isNamespaced) return { resource, name, namespace: '', object, source };
  const context = await ctl.context();
  const namespace = object.metadata.namespace || context.namespace;
  if (context.isNamespaceEnforced && namespace !== context.namespace) {
    throw new CtlError(
      `the namespace from the provided object ${JSON.stringify(namespace)} does not match the namespace ${JSON.stringify(context.namespace)}. You must pass '--namespace=${namespace}' to perform this operation.`,
    );
  }
  const placed = { ...object, metadata: { ...object.metadata, namespace } };
  return { resource, name, namespace, object: placed, source };
}

/**
 * What a file holds, as an object of the API.
 *
 * @throws CtlError when it does not say what it is, as release 1.20's client words it for what it does not validate
 */
export function checkObject(value: unknown, source: string): WireObject {
  const where = JSON.stringify(source);
  if (!isJsonObject(value)) {
    const type = Array.isArray(value) ? 'array' : typeof value;
    const what = `cannot unmarshal ${type} into Go value of type unstructured.detector`;
    throw new CtlError(`unable to decode ${where}: json: ${what}`);
  }
  const [missing] = listMissingIdentity(value);
  if (missing !== undefined) {
    const field = missing === 'kind' ? 'Kind' : missing;
    throw new CtlError(
      `unable to decode ${where}: Object '${field}' is missing in '${formatCompactJson(value)}'`,
    );
  }
  const object = { ...value, metadata: value.metadata ?? {} };
  if (!isWireObject(object)) throw new CtlError(`unable to decode ${where}: metadata must be a map`);
  for (const name of ['name', 'namespace'] as const) checkText(object.metadata[name], name, where);
  for (const map of ['labels', 'annotations'] as const) {
    for (const [key, text] of Object.entries(asJsonObject(object.metadata[map])))
      checkText(text, `${map}[${JSON.stringify(key)}]`, where);
  }
  return object;
}

/** YAML takes `n` and `1e3` for other things than texts. */
function checkText(value: unknown, name: string, where: string): void {
  if (value === undefined || value === null || typeof value === 'string') return;
  throw new CtlError(
    `unable to decode ${where}: metadata.${name}: expected a string, got ${JSON.stringify(value)}`,
  );
}
