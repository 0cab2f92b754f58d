/**
 * Writes `docs/versions.md` and `docs/serve-options.md`. Run after changing the data of resources, gates or flags:
 * `node scripts/generate-version-docs.ts`.
 */
import { writeFileSync } from 'node:fs';
import { renderServeDocs } from './serve-docs.ts';
import { renderVersionDocs } from './version-docs.ts';

writeFileSync(new URL('../docs/versions.md', import.meta.url), renderVersionDocs());
writeFileSync(new URL('../docs/serve-options.md', import.meta.url), renderServeDocs());
