import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';
import { toAscii } from './ascii.ts';

/** Text is parsed faster as JSON than as code, and larger data takes less memory so. */
const leastTextOfData = 4000;
/** Larger data lies in files of its own: in code the runtime would keep its text, and twice. */
const leastFileOfData = 50_000;

/** Data as text that is parsed, not as code. */
export const compactData: Plugin = {
  name: 'compact data',
  load: {
    filter: { id: /\.json$/ },
    async handler(path) {
      const text = await readCompact(path);
      if (text.length < leastTextOfData) return { code: text, moduleType: 'json' };
      return { code: `export default JSON.parse(${JSON.stringify(text)});`, moduleType: 'js' };
    },
  },
};

/**
 * Writes larger data to files in `folder` below the bundle's; `addressOf` gives the code for the path or URL of such a file.
 *
 * @throws Error when two files would get one name
 */
export function dataFiles(folder: string, addressOf: (fileName: string) => string): Plugin {
  const paths = new Map<string, string>();
  return {
    name: 'data files',
    load: {
      filter: { id: /\.json$/ },
      async handler(path) {
        const text = await readCompact(path);
        if (text.length < leastFileOfData) return;
        const fileName = join(folder, `${basename(dirname(path))}-${basename(path)}`);
        const other = paths.get(fileName) ?? path;
        if (other !== path) throw new Error(`bundle: ${fileName} would be both ${other} and ${path}`);
        paths.set(fileName, path);
        this.emitFile({ type: 'asset', fileName, source: toAscii(text) });
        const read = `readFileSync(${addressOf(fileName)}, 'latin1')`;
        return {
          code: `import { readFileSync } from 'node:fs'; export default JSON.parse(${read});`,
          moduleType: 'js',
        };
      },
    },
  };
}

async function readCompact(path: string): Promise<string> {
  return JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
}
