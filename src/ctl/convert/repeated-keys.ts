import { listYamlKeys } from '../../machinery/codec/index.ts';
import type { ParsedDocument } from '../resource/parse-manifest.ts';
import { join } from './compare.ts';
import type { Notice } from './notice.ts';
import { listRepeatedJsonKeys, type RepeatedKey } from './repeated-json-keys.ts';

/** Keys that stand twice in one map of a document: readers keep the last one only. */
export function findRepeatedKeys({ format, text, line: firstLine }: ParsedDocument): Notice[] {
  const repeated = format === 'json' ? listRepeatedJsonKeys(text) : listRepeatedYamlKeys(text);
  return repeated.map(({ path, line }) => ({
    level: 'attention',
    path,
    text: `lost what stands above line ${firstLine + line - 1}: there the key comes again`,
  }));
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
