import { createHash } from 'node:crypto';
import { formatCompactJson } from '../printers/json.ts';

const letters: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };

/**
 * The suffix of a name that tells contents apart: ten letters without those that make words or look alike. Source: release 1.20's
 * client, `kustomize/api/hasher`.
 */
function hashOf(content: object): string {
  const digest = createHash('sha256').update(formatCompactJson(content)).digest('hex');
  return digest.slice(0, 10).replace(/[013ae]/g, (letter) => letters[letter] ?? letter);
}

/** Suffix for a config map. */
export function hashConfigMap(
  name: string,
  content: { readonly data?: object | null | undefined; readonly binaryData?: object | undefined },
): string {
  const { data = {}, binaryData } = content;
  return hashOf({ kind: 'ConfigMap', name, data, ...(binaryData === undefined ? {} : { binaryData }) });
}

/** Suffix for a secret. */
export function hashSecret(
  name: string,
  content: { readonly data?: object | null | undefined; readonly type?: string | undefined },
): string {
  const { data = {}, type = '' } = content;
  return hashOf({ kind: 'Secret', type, name, data });
}
