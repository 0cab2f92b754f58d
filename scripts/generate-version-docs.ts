/** Writes `docs/versions.md`. Run after changing the data of resources: `node scripts/generate-version-docs.ts`. */
import { writeFileSync } from 'node:fs';
import { renderVersionDocs } from './version-docs.ts';

writeFileSync(new URL('../docs/versions.md', import.meta.url), renderVersionDocs());
